/** Each operation of openapi.json: its access, responses, parameters and body. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMMON_CODES, findProblems, toDescribedRoute } from '../../src/plugins/openapi/route-problems.ts';
import { catalogue, type ProblemCode } from '../../src/problems/problem.ts';
import { description, getCodes, operations } from '../support/description/description.ts';
import type { Json } from '../support/description/json-reference.ts';
import { pluck } from '../support/pluck.ts';
import { routes } from '../support/routes.ts';

const SECURITY: Readonly<Record<string, unknown>> = {
  public: [],
  optional: [[], ['userToken'], ['adminToken']],
  user: [['userToken']],
  admin: [['adminToken']],
};

const isError = (status: string) => /^[45]/.test(status);

for (const { title, method, path, operation } of operations) {
  describe(title, () => {
    const statuses = Object.keys(operation.responses);

    test(`${title} states who may call it and with which credentials`, () => {
      assert.ok(operation['x-access'] in SECURITY);
      const schemes = operation.security.map((one: object) => Object.keys(one));
      assert.deepEqual(schemes, SECURITY[operation['x-access']]);
      for (const requirement of operation.security) {
        for (const scheme of Object.keys(requirement))
          assert.ok(scheme in description.components.securitySchemes);
      }
    });

    test(`${title} has one successful response, or one with and one without a body, and an error response`, () => {
      assert.ok(operation.summary.length > 0);
      const successes = statuses.filter((status) => /^2\d\d$/.test(status));
      assert.ok(successes.length === 1 || successes.join() === '200,204', successes.join());
      assert.ok(statuses.some((status) => /^4\d\d$/.test(status)));
      if (operation['x-access'] !== 'public') assert.ok(statuses.includes('401'));
    });

    test(`${title} describes each response with its media types and headers`, () => {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        assert.ok(response.description.length > 0, status);
        const types = Object.keys(response.content ?? {});
        assert.equal(types.length > 0, !['204', '304'].includes(status), `${status} has a body`);
        for (const type of types)
          assert.match(
            type,
            /^(application\/(([\w.-]+\+)?json|x-ndjson|vnd\.[\w.-]+)|text\/(csv|html|event-stream))$/,
          );
        assert.ok('X-Request-Id' in response.headers, status);
        for (const [name, header] of Object.entries<Json>(response.headers)) {
          assert.ok(header.description.length > 0, name);
          assert.equal(typeof header.schema, 'object', name);
        }
        if (status === '401') assert.ok('WWW-Authenticate' in response.headers);
        if (status === '429') assert.ok('Retry-After' in response.headers);
      }
    });

    test(`${title} lists exactly the codes that its route can return, and examples of them`, () => {
      const route = routes.find((each) => each.method === method && each.path === path)!;
      const own = route.schema.response as object;
      const listed = statuses.filter((status) => isError(status) && !(status in own));
      const described = listed.flatMap((status) => getCodes(operation.responses[status])) as ProblemCode[];
      for (const code of described) assertExample(operation.responses, code);
      const possible = findProblems(toDescribedRoute({ ...route, url: path } as never)).filter(
        (code) => !(catalogue[code].status in own),
      );
      const isOwn = (code: ProblemCode) => !COMMON_CODES.has(code);
      assert.deepEqual(described.filter(isOwn).sort(), possible.filter(isOwn).sort());
      assert.ok(
        possible.every((code) => described.includes(code)),
        'codes of every operation',
      );
    });

    test(`${title} declares every parameter once, those of the path as required`, () => {
      const parameters: Json[] = operation.parameters ?? [];
      const keys = parameters.map(({ name, in: place }) => `${place}:${name}`);
      assert.deepEqual(keys, [...new Set(keys)]);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(pluck(inPath, 'name'), named);
      assert.ok(inPath.every(({ required }) => required === true));
      for (const parameter of parameters) {
        assert.ok(['path', 'query', 'header'].includes(parameter.in));
        assert.equal(typeof parameter.schema, 'object', parameter.name);
        assert.ok(parameter.description.length > 0, parameter.name);
      }
    });

    test(`${title} describes a request body if and only if its route has one, with schema and example`, () => {
      const { requestBody } = operation;
      const route = routes.find((each) => each.method === method && each.path === path)!;
      assert.equal(requestBody !== undefined, route.schema.body !== undefined);
      if (requestBody === undefined) return;
      const { schema, example } = Object.values<Json>(requestBody.content)[0];
      assert.equal(typeof schema, 'object');
      assert.notEqual(example, undefined);
      assert.equal(typeof requestBody.required, 'boolean');
    });
  });
}

function assertExample(responses: Json, code: ProblemCode): void {
  const { status } = catalogue[code];
  const examples: Json = responses[status].content['application/json'].examples;
  assert.equal(examples[code].value.code, code);
  assert.ok(Object.keys(examples).every((other) => catalogue[other as ProblemCode].status === status));
}
