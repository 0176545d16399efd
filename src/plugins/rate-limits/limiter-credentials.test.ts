import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  newClientIp,
} from '../../../test/support/limits.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { newToken } from '../../lib/secrets/tokens.ts';

const DASHBOARD = '/api/v1/admin/dashboard';

describeOnSqlite('wrong credentials of the administrator', (engine) => {
  const service = useService(engine, limited());
  const open = (address: string, token: string) => service.api.get(DASHBOARD, fromIp(address, { token }));

  test('wrong administrator credentials are rejected with 429 after ten from one network, and the right one is not', async () => {
    const address = newClientIp();
    for (let attempt = 0; attempt < 10; attempt++) {
      const { status, headers } = await open(address, `wrong-${attempt}`);
      assert.equal(status, 401);
      assertNoLimitFields(headers);
    }
    const { status, headers, body } = await open(address, 'wrong');
    assert.equal(status, 429);
    assert.deepEqual(body, { error: 'Too many requests', code: 'rate_limited_admin_fail' });
    assertNoLimitFields(headers);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds > 80 && seconds <= 90, String(seconds));
    assert.equal((await open(address, ADMIN_TOKEN)).status, 200);
    assert.equal((await open(newClientIp(), 'wrong')).status, 401);
  });

  test('wrong administrator credentials are not admitted more often when sent concurrently', async () => {
    const address = newClientIp();
    const responses = await Promise.all(Array.from({ length: 40 }, () => open(address, 'wrong')));
    const unauthorized = responses.filter(({ status }) => status === 401);
    assert.equal(unauthorized.length, 10);
    assert.ok(responses.every(({ status }) => status === 401 || status === 429));
  });

  test('wrong administrator credentials count together over all operations that accept them, in any format', async () => {
    const address = newClientIp();
    const send = (method: string, path: string, authorization: string) =>
      service.api.request(method, path, fromIp(address, { headers: { authorization } }));
    const attempts = [
      ['GET', '/api/v1/users', 'Bearer wrong'],
      ['POST', '/api/v1/users', `Bearer ${ADMIN_TOKEN}x`],
      ['GET', '/api/v1/users/some', `bearer ${ADMIN_TOKEN}x`],
      ['GET', '/api/v1/users', 'Basic YTpi'],
      ['GET', '/api/v1/users', `Bearer ${newToken().slice(0, -1)}`],
    ] as const;
    for (const [method, path, authorization] of [...attempts, ...attempts]) {
      const { status, headers } = await send(method, path, authorization);
      assert.equal(status, 401);
      assertNoLimitFields(headers);
    }
    for (const path of ['/api/v1/users', '/api/v1/admin/dashboard']) {
      assert.equal((await send('GET', path, 'Bearer wrong')).body.code, 'rate_limited_admin_fail');
      assert.equal((await send('GET', path, `Bearer ${ADMIN_TOKEN}`)).status, 200);
    }
    assert.equal(
      (await service.api.post('/api/v1/users', {}, fromIp(address, { token: 'wrong' }))).status,
      429,
    );
    const anonymous = await service.api.get('/api/v1/users', fromIp(address));
    assert.equal(anonymous.headers.get('x-ratelimit-remaining'), '119');
  });

  test('wrong administrator credentials do not include the right one, however often it is used', async () => {
    const address = newClientIp();
    for (let request = 0; request < 15; request++)
      assert.equal((await open(address, ADMIN_TOKEN)).status, 200);
  });

  test('wrong administrator credentials include tokens of users, but not requests without a credential', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.service.database);
    for (let request = 0; request < 12; request++) {
      const { status, headers } = await service.api.get(DASHBOARD, fromIp(address));
      assert.equal(status, 401);
      assert.equal(headers.get('ratelimit-policy'), '"anon";q=120;w=60');
    }
    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await open(address, token)).status, 401);
    assert.equal((await open(address, token)).status, 429);
  });
});

describeOnEachEngine('requests with a named credential', (engine) => {
  const limits = { RATE_LIMIT_CREDENTIAL_WRITE: '2/60', RATE_LIMIT_CREDENTIAL_READ: '3/60' };
  const service = useService(engine, limited(limits));
  const read = (token: string, method = 'GET') => service.api.request(method, DASHBOARD, { token });
  const write = (token: string) => service.api.patch('/api/v1/users/some', {}, { token });

  test('requests with a named credential are limited per credential, writes and reads apart, also those of owners', async () => {
    const one = await createCredential(service, ['admin']);
    const two = await createCredential(service, ['users:read', 'users:write']);
    for (const remaining of [1, 0]) {
      const { status, headers } = await write(one.secret);
      assert.equal(status, 428);
      const [policy, state] = limitFields(headers);
      assert.equal(policy, '"credential-write";q=2;w=60');
      assert.match(state!, new RegExp(`^"credential-write";r=${remaining};`));
    }
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await read(one.secret, method);
      assert.equal(status, 200);
      assert.equal(limitFields(headers)[0], '"credential-read";q=3;w=60');
    }
    const rejected = [await write(one.secret), await read(one.secret)];
    assert.deepEqual(
      rejected.map(({ status, body }) => [status, body.code]),
      [
        [429, 'rate_limited_credential_write'],
        [429, 'rate_limited_credential_read'],
      ],
    );
    for (const { headers } of rejected) assert.ok(Number(headers.get('retry-after')) > 0);
    assert.deepEqual([(await write(two.secret)).status, (await read(two.secret)).status], [428, 200]);
  });

  test('requests with ADMIN_TOKEN have no limit', async () => {
    for (let request = 0; request < 5; request++) {
      const responses = [await write(ADMIN_TOKEN), await read(ADMIN_TOKEN)];
      assert.deepEqual(
        responses.map(({ status }) => status),
        [428, 200],
      );
      for (const { headers } of responses) assertNoLimitFields(headers);
    }
  });
});

describeOnSqlite('wrong tokens of users', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_ANON: '3/60' }));

  test('wrong user tokens count as anonymous requests of their network, while the right token is admitted', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.service.database);
    const send = (path: string, sent: string) => service.api.get(path, fromIp(address, { token: sent }));
    const seen = [];
    for (const path of ['/api/v1/me', '/api/v1/users', '/api/v1/users/some', '/api/v1/me', '/api/v1/users']) {
      const { status, headers, body } = await send(path, newToken());
      seen.push([status, body.code, limitFields(headers)[1]?.replace(/;t=\d+$/, '')]);
    }
    assert.deepEqual(seen, [
      [401, 'unauthorized', '"anon";r=2'],
      [401, 'unauthorized', '"anon";r=1'],
      [401, 'unauthorized', '"anon";r=0'],
      [429, 'rate_limited_anon', '"anon";r=0'],
      [429, 'rate_limited_anon', '"anon";r=0'],
    ]);
    assert.equal((await service.api.get('/api/v1/users', fromIp(address))).status, 429);
    for (const path of ['/api/v1/me', '/api/v1/users']) assert.equal((await send(path, token)).status, 200);
    assert.equal((await send('/api/v1/users', ADMIN_TOKEN)).status, 200);
  });
});
