/** Limits of users on tokens, and of networks on writes with a token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

const CREATE = '/api/v1/tokens';

describeOnSqlite('RATE_LIMIT_TOKEN_CREATE', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_TOKEN_CREATE: '3/3600' }));
  const post = (path: string, token: string, body: object = {}) =>
    service.api.post(path, body, fromIp(newClientIp(), { token }));

  test('RATE_LIMIT_TOKEN_CREATE counts created and rotated tokens of a user together, from any network', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    const created = await post(CREATE, token, { name: 'robot' });
    assert.equal(created.status, 201);
    assert.match(created.headers.get('ratelimit-policy')!, /"token-create";q=3;w=3600/);
    const { id } = created.body.data;
    assert.equal((await post(`${CREATE}/${id}/rotate`, token)).status, 201);
    assert.equal((await post(CREATE, token, { name: 'robot' })).status, 201);
    const { body: list } = await service.api.get(CREATE, fromIp(newClientIp(), { token }));
    for (const path of [CREATE, `${CREATE}/${list.data[0].id}/rotate`]) {
      const { status, body, headers } = await post(path, token, { name: 'robot' });
      assert.deepEqual([status, body.code], [429, 'rate_limited_token_create']);
      assert.ok(Number(headers.get('retry-after')) > 1_000);
    }
  });

  test('RATE_LIMIT_TOKEN_CREATE does not count requests of other users, other writes and anonymous requests', async () => {
    const [user, other] = [
      await insertLoggedInUser(service.service.database),
      await insertLoggedInUser(service.service.database),
    ];
    for (let request = 0; request < 4; request++) await post(CREATE, user.token, { name: 'robot' });
    assert.equal((await post(CREATE, other.token, { name: 'robot' })).status, 201);
    const patch = fromIp(newClientIp(), { token: user.token });
    assert.equal((await service.api.patch('/api/v1/me', { name: 'Ada' }, patch)).status, 200);
    assert.equal((await service.api.post(CREATE, {}, fromIp(newClientIp()))).status, 401);
  });
});

describeOnSqlite('RATE_LIMIT_WRITE', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_WRITE: '3/60' }));
  const rename = (clientIp: string, token: string) =>
    service.api.patch('/api/v1/me', { name: 'Ada' }, fromIp(clientIp, { token }));
  const newToken = async () => (await insertLoggedInUser(service.service.database)).token;

  test('RATE_LIMIT_WRITE counts the writes of all users of a network, and rejects further ones with 429', async () => {
    const clientIp = newClientIp();
    for (let write = 0; write < 3; write++) {
      const { status, headers } = await rename(clientIp, await newToken());
      assert.equal(status, 200);
      assert.match(headers.get('ratelimit-policy')!, /"write";q=3;w=60/);
    }
    const token = await newToken();
    const { status, body } = await rename(clientIp, token);
    assert.deepEqual([status, body.code], [429, 'rate_limited_write']);
    assert.equal((await rename(newClientIp(), token)).status, 200);
  });

  test('RATE_LIMIT_WRITE does not count reads, and writes without a token', async () => {
    const clientIp = newClientIp();
    const token = await newToken();
    for (let request = 0; request < 5; request++) {
      assert.equal((await service.api.get('/api/v1/me', fromIp(clientIp, { token }))).status, 200);
      assert.equal((await service.api.post('/api/v1/users', {}, fromIp(clientIp))).status, 201);
    }
    assert.equal((await rename(clientIp, token)).status, 200);
  });
});
