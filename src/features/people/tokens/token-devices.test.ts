import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useSharedService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertTestToken, register } from '../../../../test/support/users.ts';
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
    const [seen] = (await service.api.get(path, { token: ADMIN_TOKEN })).body.data;
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
    const { database } = service.service;
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
    const { token, id } = await insertTestToken(service.service.database, userId, { scopes: 'self:write' });
    const { status, body } = await service.api.get('/api/v1/me/token', { token });
    const { name, scopes, current, expires_at } = body.data;
    assert.deepEqual(
      [status, body.data.id, name, scopes, current],
      [200, id, 'auth_token', ['self:write'], true],
    );
    assert.ok(Date.parse(expires_at) > Date.now());
    for (const options of [{}, { token: ADMIN_TOKEN }])
      assert.equal((await service.api.get('/api/v1/me/token', options)).status, 401);
  });
});
