import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { description, operations } from './support/description.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand
type Json = any;

const SECURITY: Readonly<Record<string, unknown>> = {
  public: [],
  optional: [{}, { userToken: [] }, { adminToken: [] }],
  user: [{ userToken: [] }],
  admin: [{ adminToken: [] }],
};

for (const { title, path, operation } of operations) {
  describe(title, () => {
    test('says who may call, and with what', () => {
      assert.ok(operation['x-access'] in SECURITY);
      assert.deepEqual(operation.security, SECURITY[operation['x-access']]);
      for (const requirement of operation.security) {
        for (const scheme of Object.keys(requirement))
          assert.ok(scheme in description.components.securitySchemes);
      }
    });

    test('describes every answer: one success, and at least one refusal', () => {
      assert.ok(operation.summary.length > 0);
      const statuses = Object.keys(operation.responses);
      assert.equal(statuses.filter((status) => /^2\d\d$/.test(status)).length, 1);
      assert.ok(statuses.some((status) => /^4\d\d$/.test(status)));
      if (operation['x-access'] !== 'public') assert.ok(statuses.includes('401'));
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        assert.ok(response.description.length > 0, status);
        const types = Object.keys(response.content ?? {});
        assert.equal(types.length > 0, status !== '204', `${status} has a body`);
        for (const type of types) assert.match(type, /^application\/([\w.-]+\+)?json$/);
        assert.ok('X-Request-Id' in response.headers, status);
        if (status === '401') assert.ok('WWW-Authenticate' in response.headers);
        if (status === '429') assert.ok('Retry-After' in response.headers);
      }
    });

    test('declares its parameters: those of the path, each once', () => {
      const parameters: Json[] = operation.parameters ?? [];
      const keys = parameters.map(({ name, in: place }) => `${place}:${name}`);
      assert.deepEqual(keys, [...new Set(keys)]);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(
        inPath.map(({ name }) => name),
        named,
      );
      assert.ok(inPath.every(({ required }) => required === true));
      for (const parameter of parameters) {
        assert.ok(['path', 'query', 'header'].includes(parameter.in));
        assert.equal(typeof parameter.schema, 'object', parameter.name);
      }
    });

    test('has a body only where there is a schema and an example for it', () => {
      const { requestBody } = operation;
      if (requestBody === undefined) return;
      const { schema, example } = requestBody.content['application/json'];
      assert.equal(typeof schema, 'object');
      assert.notEqual(example, undefined);
      assert.equal(typeof requestBody.required, 'boolean');
    });
  });
}
