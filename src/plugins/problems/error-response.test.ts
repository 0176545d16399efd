import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { openService } from '../../../test/support/service.ts';
import { DatabaseUnavailable, sql, UniqueViolation } from '../../database/database.ts';
import { createLog } from '../../lib/log/log.ts';
import { PasswordsUnavailable } from '../../lib/passwords/passwords.ts';
import { newToken } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';
import { type RenderProblem, toProblem } from './error-response.ts';

describe('toProblem', () => {
  test('toProblem returns 503 with Retry-After for an unavailable database or password queue', () => {
    for (const error of [
      new DatabaseUnavailable(new Error('gone')),
      new PasswordsUnavailable(new Error('full')),
    ]) {
      const problem = toProblem(error);
      assert.deepEqual([problem.code, problem.status], ['service_unavailable', 503]);
      assert.equal(problem.options.retryAfterSeconds, 1);
      assert.equal(problem.options.cause, error);
    }
  });

  for (const [code, problem, closesConnection] of [
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'payload_too_large', true],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'malformed_request', true],
    ['ECONNRESET', 'malformed_request', true],
    ['FST_ERR_BAD_URL', 'invalid_path', undefined],
    ['FST_ERR_MAX_PARAM_LENGTH', 'not_found', undefined],
  ] as const) {
    test(`toProblem returns ${problem} for the error ${code}`, () => {
      const { code: actual, options } = toProblem(Object.assign(new Error(), { code }));
      assert.deepEqual([actual, options.closesConnection], [problem, closesConnection]);
    });
  }

  test('toProblem returns 500 without detail for unexpected errors', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ minLength: 1 }), (thrown, text) => {
        for (const error of [thrown, new Error(text), new UniqueViolation(new Error(text))]) {
          const problem = toProblem(error);
          assert.deepEqual([problem.code, problem.status], ['internal_error', 500]);
          assert.equal(problem.text, 'Internal Server Error');
          assert.deepEqual(problem.options.headers ?? {}, {});
          assert.ok(Object.is(problem.options.cause, error));
        }
      }),
    );
  });
});

test('the reason why a body was rejected is logged at debug, and at info nothing but the request', async (context) => {
  for (const [level, count] of [
    ['debug', 1],
    ['info', 0],
  ] as const) {
    const lines: string[] = [];
    const logger = createLog(level, { write: (line: string) => void lines.push(line) });
    const body = { type: 'object', properties: {} } as const;
    const things = (app: FastifyInstance) => {
      app.post('/things', { schema: { body }, config: { access: 'public' } }, async () => ({}));
    };
    const server = await startBareServer({ logger }, things);
    context.after(() => server.app.close());
    const headers = ['Content-Type: application/json'];
    const twice = rawRequest('POST', '/things', headers, '{"a":1,"a":2}');
    assert.equal((await sendRawOnce(server.url, twice)).status, 400);
    const reasons = lines.filter((line) => line.includes('A member name occurs twice'));
    assert.equal(reasons.length, count, level);
  }
});

describeOnSqlite('unexpected errors', (engine) => {
  test('an unexpected error gets a 500 without detail, and the detail is logged with the request id', async (context) => {
    const { api, service, log } = await openService(context, engine);
    await service.database.transaction((tx) => tx.run(sql('alter table tokens rename to tokens_away')));
    for (const accept of ['application/json', 'application/problem+json']) {
      const id = `failing-${accept.length}`;
      const response = await api.get('/api/v1/me', {
        token: newToken(),
        headers: { 'x-request-id': id, accept },
      });
      assert.equal(response.status, 500);
      assert.deepEqual(
        [response.body.error, response.body.code],
        ['Internal Server Error', 'internal_error'],
      );
      assert.doesNotMatch(response.text, /tokens|relation|sql|\bat \//i);
      const line = log.find(({ request_id, level }) => request_id === id && level === 50);
      assert.match(JSON.stringify(line), /tokens/);
    }
    const plain = await api.get('/api/v1/me', { token: newToken() });
    assert.deepEqual(plain.body, { error: 'Internal Server Error', code: 'internal_error' });
  });
});

describe('error pages', () => {
  async function getResponse(render: RenderProblem, context: TestContext) {
    const server = await startBareServer({}, (app) => {
      const errorHandler = app.createPageErrorHandler(render);
      app.get('/thing', { config: { access: 'public' }, errorHandler }, async () => {
        throw new Problem('service_unavailable', { retryAfterSeconds: 7 });
      });
    });
    context.after(() => server.app.close());
    const response = await fetch(`${server.url}/thing`);
    const other = await fetch(`${server.url}/thing`, { method: 'DELETE' });
    return { response, text: await response.text(), other, otherText: await other.text() };
  }

  test("error pages replace JSON on paths that render them, also for other methods, and keep the problem's headers", async (context) => {
    const headers = { 'content-type': 'text/html' };
    const render: RenderProblem = async ({ code }) => ({ headers, body: `<p>${code}</p>` });
    const { response, text, other, otherText } = await getResponse(render, context);
    assert.equal(response.status, 503);
    assert.equal(text, '<p>service_unavailable</p>');
    assert.equal(response.headers.get('content-type'), 'text/html');
    assert.equal(response.headers.get('retry-after'), '7');
    assert.deepEqual([other.status, otherText], [405, '<p>method_not_allowed</p>']);
    assert.equal(other.headers.get('allow'), 'GET, HEAD, OPTIONS');
  });

  for (const [thrown, status] of [
    [new Problem('not_found'), 404],
    [new Problem('rate_limited_documents'), 429],
    [new Error('unexpected'), 500],
    [new DatabaseUnavailable(new Error('gone')), 503],
  ] as const)
    test(`error pages are sent to browsers with ${status} on every path but operations of the API`, async (context) => {
      const headers = { 'content-type': 'text/html' };
      const renderPage: RenderProblem = async ({ code }) => ({ headers, body: `<p>${code}</p>` });
      const server = await startBareServer({ renderPage }, (app) => {
        for (const path of ['/page', '/api/v1/thing'])
          app.get(path, { config: { access: 'public' } }, () => Promise.reject(thrown));
      });
      context.after(() => server.app.close());
      const get = async (path: string, accept: string) => {
        const response = await fetch(server.url + path, { headers: { accept } });
        return [response.status, response.headers.get('content-type')];
      };
      const json = 'application/json; charset=utf-8';
      assert.deepEqual(await get('/page', 'text/html, */*;q=0.8'), [status, 'text/html']);
      assert.deepEqual(await get('/page', '*/*'), [status, json]);
      assert.deepEqual(await get('/api/v1/thing', 'text/html, */*;q=0.8'), [
        status,
        status === 404 ? 'text/html' : json,
      ]);
    });

  test('error pages that cannot be rendered become JSON with the same status', async (context) => {
    const render: RenderProblem = () => Promise.reject(new Error('no template'));
    const { response, text } = await getResponse(render, context);
    assert.equal(response.status, 503);
    assert.equal(JSON.parse(text).code, 'service_unavailable');
  });
});
