import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, newUserData, openService, useSharedService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertLoggedInUser, insertTestToken, register } from '../../../../test/support/users.ts';
import { DAY } from '../../../lib/time.ts';
import { deleteTokenNetworks } from './queries.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0';

describeOnSqlite('devices of tokens', (engine) => {
  const service = useSharedService(engine);

  test('tokens have the device and the networks of their creation and last use, for their user and the administrator', async () => {
    const person = await register(service);
    const login = await service.api.post('/api/login', person, { headers: { 'user-agent': FIREFOX } });
    const token: string = login.body.access_token;
    const own = async () => (await service.api.get('/api/v1/tokens', { token })).body.data[0];
    await until(async () => (await own()).last_used_at !== null, 'the use is recorded');
    const { device, network, last_used_network, current } = await own();
    assert.deepEqual(
      [device, network, last_used_network, current],
      ['Firefox on Windows', '127.0.0.0/24', '127.0.0.0/24', true],
    );
    const path = `/api/v1/users/${(await service.api.get('/api/v1/me', { token })).body.data.id}/tokens`;
    const [seen] = (await service.api.get(path, admin)).body.data;
    const { current: _, ...expected } = await own();
    assert.deepEqual(seen, expected);
    const { body } = await service.api.post(
      `/api/v1/tokens/${seen.id}/rotate`,
      {},
      {
        token,
        headers: { 'user-agent': 'backup/1.0' },
      },
    );
    assert.deepEqual([body.data.device, body.data.last_used_network], ['backup/1.0', null]);
  });

  test('networks of tokens are deleted 30 days after their creation and last use, and devices stay', async () => {
    const person = await register(service);
    const { token } = person;
    const own = async () => (await service.api.get('/api/v1/tokens', { token })).body.data[0];
    await until(async () => (await own()).last_used_network !== null, 'the use is recorded');
    const { database } = service;
    const forget = (before: number) => database.transaction((tx) => deleteTokenNetworks(tx, before, 500));
    await forget(Date.now() - DAY);
    assert.deepEqual(
      [(await own()).network, (await own()).last_used_network],
      ['127.0.0.0/24', '127.0.0.0/24'],
    );
    await forget(Date.now() + DAY);
    const { network, last_used_network, device } = await own();
    assert.deepEqual([network, last_used_network], [null, null]);
    assert.notEqual(device, null);
  });

  test('GET /api/v1/me/token returns name, scopes and expiry of the token of the request, whatever its scopes', async () => {
    const person = await register(service);
    const { id: userId } = (await service.api.get('/api/v1/me', { token: person.token })).body.data;
    const { token, id } = await insertTestToken(service.database, userId, { scopes: 'self:write' });
    const { status, body } = await service.api.get('/api/v1/me/token', { token });
    const { name, scopes, current, expires_at } = body.data;
    assert.deepEqual(
      [status, body.data.id, name, scopes, current],
      [200, id, 'auth_token', ['self:write'], true],
    );
    assert.ok(Date.parse(expires_at) > Date.now());
    for (const options of [{}, admin])
      assert.equal((await service.api.get('/api/v1/me/token', options)).status, 401);
  });
});

const INVALID_TOKEN =
  'Bearer realm="api", error="invalid_token", error_description="The access token is invalid or expired"';

describeOnSqlite('the lifetime of a token', (engine) => {
  test('the lifetime of a token is configurable, and ends at the millisecond of its expiry, also if it is in use', async (context) => {
    const start = Date.UTC(2026, 2, 1, 12);
    let now = start;
    const environment = { TOKEN_LIFETIME_DAYS: '2' };
    const service = await openService(context, engine, { environment, clock: () => now });
    const { status, body } = await service.api.post('/api/register', newUserData());
    assert.deepEqual([status, body.expires_in], [201, 172_800]);
    const user = { token: body.access_token };
    const statusAt = async (moment: number) => {
      now = moment;
      return (await service.api.get('/api/v1/me', { token: user.token })).status;
    };
    assert.equal(await statusAt(start + DAY), 200);
    assert.equal(await statusAt(start + 2 * DAY - 1), 200);
    assert.equal(await statusAt(start + 2 * DAY), 401);
    const list = await service.api.get('/api/v1/users', { token: user.token });
    assert.equal(list.status, 401);
    assert.equal(list.headers.get('www-authenticate'), INVALID_TOKEN);
  });
});

describeOnSqlite('a limited token', (engine) => {
  const service = useSharedService(engine);
  const createLimitedToken = (userId: string, scopes: string) =>
    insertTestToken(service.database, userId, { scopes });
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;

  test('a token with self:read cannot create or rotate tokens, end other sessions or change the password', async () => {
    const user = await insertLoggedInUser(service.database);
    const { token, id } = await createLimitedToken(user.id, 'self:read');
    const password = { current_password: 'irrelevant', password: 'paper lantern' };
    const attempts: readonly [string, string, unknown, string][] = [
      ['POST', '/api/v1/tokens', { name: 'CI' }, 'tokens:manage'],
      ['POST', `/api/v1/tokens/${id}/rotate`, undefined, 'tokens:manage'],
      ['POST', '/api/logout', { scope: 'others' }, 'tokens:manage'],
      ['POST', '/api/logout', { scope: 'all' }, 'tokens:manage'],
      ['PUT', '/api/v1/me/password', password, 'self:write'],
    ];
    for (const [method, path, body, scope] of attempts) {
      const response = await service.api.request(method, path, { token, body });
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.equal(response.body.code, 'insufficient_scope');
      const challenge = `Bearer realm="api", error="insufficient_scope", scope="${scope}"`;
      assert.equal(response.headers.get('www-authenticate'), challenge);
    }
    for (const each of [token, user.token]) assert.equal(await isAlive(each), true);
  });

  test('a token with tokens:manage cannot create a token with other scopes, or read the record of the user', async () => {
    const { id } = await insertLoggedInUser(service.database);
    const { token } = await createLimitedToken(id, 'tokens:manage');
    const scopes = ['self:read', 'self:write', 'tokens:manage'];
    const response = await service.api.post('/api/v1/tokens', { name: 'CI', scopes }, { token });
    assert.equal(response.status, 403);
    assert.equal(response.body.code, 'insufficient_scope');
    const challenge = 'Bearer realm="api", error="insufficient_scope", scope="self:read self:write"';
    assert.equal(response.headers.get('www-authenticate'), challenge);
    for (const path of ['/api/v1/me', '/api/v1/users', `/api/v1/users/${id}`]) {
      assert.equal((await service.api.get(path, { token })).status, 403, path);
    }
    const own = await service.api.post('/api/v1/tokens', { name: 'CI' }, { token });
    assert.deepEqual(own.body.data.scopes, ['tokens:manage']);
  });

  test('a token with tokens:manage cannot obtain other scopes by rotating a token that has them', async () => {
    const user = await insertLoggedInUser(service.database);
    const full = (await service.api.get('/api/v1/tokens', { token: user.token })).body.data[0].id;
    const { token, id } = await createLimitedToken(user.id, 'tokens:manage');
    for (const overlap of [0, 60]) {
      const response = await service.api.post(`/api/v1/tokens/${full}/rotate`, { overlap }, { token });
      assert.equal(response.status, 403);
    }
    assert.equal(await isAlive(user.token), true);
    const own = await service.api.post(`/api/v1/tokens/${id}/rotate`, undefined, { token });
    assert.deepEqual(own.body.data.scopes, ['tokens:manage']);
  });
});
