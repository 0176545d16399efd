/** A token cannot obtain more than its scopes permit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken } from '../../../../test/support/users.ts';

describeOnSqlite('a limited token', (engine) => {
  const service = useSharedService(engine);
  const createLimitedToken = (userId: string, scopes: string) =>
    insertTestToken(service.service.database, userId, { scopes });
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;

  test('a token with self:read cannot create, rotate, list or revoke tokens or change the password', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const { token, id } = await createLimitedToken(user.id, 'self:read');
    const password = { current_password: 'irrelevant', password: 'paper lantern' };
    const attempts: readonly [string, string, unknown, string][] = [
      ['POST', '/api/v1/tokens', { name: 'CI' }, 'tokens:manage'],
      ['POST', '/api/v1/tokens', { name: 'CI', scopes: ['self:read'] }, 'tokens:manage'],
      ['POST', `/api/v1/tokens/${id}/rotate`, undefined, 'tokens:manage'],
      ['GET', '/api/v1/tokens', undefined, 'tokens:manage'],
      ['DELETE', `/api/v1/tokens/${id}`, undefined, 'tokens:manage'],
      ['DELETE', '/api/v1/tokens?except=current', undefined, 'tokens:manage'],
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
    const { id } = await insertLoggedInUser(service.service.database);
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
    const user = await insertLoggedInUser(service.service.database);
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
