import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { rawRequest, sendRawOnce } from '../../test/support/raw-http.ts';
import { createTestDatabase, describeOnSqlite } from '../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, newUserData, toEnvironment, useService } from '../../test/support/service.ts';
import { readConfig } from '../config.ts';
import { sql } from '../database/database.ts';
import { createLog } from '../lib/log/log.ts';
import { hashToken } from '../lib/secrets/tokens.ts';
import { start } from '../startup/start.ts';

describe('the log line of a request', () => {
  const service = useService('sqlite');
  const findLine = async (id: string) => {
    // Requests are logged in order: when this one has its response, the line of the one before is written.
    await service.api.get('/livez');
    return service.log.find(({ request_id }) => request_id === id);
  };
  const send = (id: string, path: string, fields: string[] = []) =>
    sendRawOnce(service.api.url, rawRequest('GET', path, [`X-Request-Id: ${id}`, ...fields]));

  test('the request log has method, route template and status, and not the URL, which may contain personal data', async () => {
    await send('one', '/api/v1/users/ada@example.com?email=ada@example.com');
    const line = await findLine('one');
    assert.deepEqual([line?.method, line?.route, line?.status], ['GET', '/api/v1/users/{id}', 200]);
    assert.equal(typeof line?.ms, 'number');
    assert.ok(!JSON.stringify(service.log).includes('ada@'));
  });

  test('the request log has the route template of a path that does not support the method', async () => {
    const head = rawRequest('DELETE', '/api/v1/users/count', ['X-Request-Id: unsupported']);
    assert.equal((await sendRawOnce(service.api.url, head)).status, 405);
    assert.equal((await findLine('unsupported'))?.route, '/api/v1/users/count');
  });

  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  test('the request log has the trace id of a valid traceparent (W3C Trace Context)', async () => {
    await send('traced', '/livez', [`traceparent: 00-${trace}-00f067aa0ba902b7-01`]);
    assert.equal((await findLine('traced'))?.trace_id, trace);
  });

  const invalid = [
    `01-${trace}-00f067aa0ba902b7-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-00f067aa0ba902b7-01-extra`,
    `00-${trace}-00f067aa0ba902b7`,
    'nonsense',
    '',
  ];
  for (const [index, traceparent] of invalid.entries()) {
    test(`the request log ignores the invalid traceparent "${traceparent}"`, async () => {
      const { status } = await send(`invalid-${index}`, '/livez', [`traceparent: ${traceparent}`]);
      assert.equal(status, 200);
      const line = await findLine(`invalid-${index}`);
      assert.equal(line?.status, 200);
      assert.equal(line?.trace_id, undefined);
    });
  }

  test('the request log contains requests that are rejected before their route', async () => {
    for (const [id, path, status] of [
      ['unknown', '/nowhere', 404],
      ['malformed', '/api/v1/users/%ff', 400],
      ['long', `/api/v1/users/${'a'.repeat(2000)}`, 404],
      ['unauthorized', '/api/v1/me', 401],
    ] as const) {
      await send(id, path);
      assert.equal((await findLine(id))?.status, status, id);
    }
  });
});

describeOnSqlite('the log at level trace', (engine) => {
  test('the log at level trace never contains a password, a token, an idempotency key or a hash', async (context) => {
    const testDatabase = await createTestDatabase(engine);
    const lines: string[] = [];
    const logger = createLog('trace', { write: (line: string) => void lines.push(line) });
    const service = await start(readConfig(toEnvironment(testDatabase)), logger);
    context.after(async () => {
      await service.stop();
      await testDatabase.remove();
    });
    const api = createApi(service.url);
    const person = { ...newUserData(), password: 'hunter22-the-password' };
    const headers = { 'idempotency-key': 'key-of-the-retry' };
    const { body } = await api.post('/api/register', person, { headers });
    const token = body.access_token;
    await api.get('/api/v1/me', { token });
    await api.get(`/api/v1/me?access_token=${token}&password=${person.password}`, { token });
    await api.post('/api/login', { ...person, password: 'hunter22-mistyped' });
    await api.get('/api/v1/admin/dashboard', admin);
    await api.get('/api/v1/admin/dashboard', { token: `${ADMIN_TOKEN}-hunter22` });
    await api.request('POST', '/api/login', { raw: `{"email":"${person.email}","password":hunter22` });
    await service.database.transaction((tx) => tx.run(sql('alter table users rename to users_away')));
    assert.equal((await api.post('/api/register', { ...person, email: `x${person.email}` })).status, 500);
    const log = lines.join('');
    for (const secret of [
      'hunter22',
      token,
      hashToken(token),
      ADMIN_TOKEN,
      'key-of-the-retry',
      '$argon2id',
    ]) {
      assert.ok(!log.includes(secret), secret);
    }
    assert.ok(
      log.includes(hashToken(token).slice(0, 8)),
      'the log identifies a token by the beginning of its hash',
    );
  });
});
