import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../../test/support/users.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, formatTimestamp, MINUTE } from '../../../lib/time.ts';

const notFound = { error: 'Token not found', code: 'token_not_found' };

describeOnSqlite('the tokens of a user', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;

  test('tokens are listed newest first, with the current one marked and without the token texts', async () => {
    const user = await insertLoggedInUser(database);
    const expiresAt = Date.now() + DAY;
    const newer = await insertTestToken(database, user.id, { scopes: 'self:read tokens:manage', expiresAt });
    await insertTestToken(database, (await insertTestUser(database)).id);
    await insertTestToken(database, user.id, { expiresAt: Date.now() - MINUTE });
    const { status, text, body } = await service.api.get('/api/v1/tokens', { token: user.token });
    assert.equal(status, 200);
    assert.equal(body.message, 'Tokens list');
    assert.equal(body.data.length, 2);
    const [second, first] = body.data;
    assert.deepEqual(second, {
      id: newer.id,
      name: 'auth_token',
      first_characters: newer.token.slice(0, 12),
      scopes: ['self:read', 'tokens:manage'],
      created_at: second.created_at,
      last_used_at: null,
      expires_at: formatTimestamp(expiresAt),
      device: null,
      network: null,
      last_used_network: null,
      current: false,
    });
    assert.deepEqual(first.scopes, ['self:read', 'self:write', 'tokens:manage']);
    assert.equal(first.current, true);
    assert.equal(first.created_at, formatTimestamp(user.createdAt));
    assert.equal(first.expires_at, formatTimestamp(user.createdAt + 30 * DAY));
    assert.doesNotMatch(text, /fd_pat_\w{6}|[0-9a-f]{64}/);
  });

  test('tokens cannot be revoked by another user, who gets the 404 of an unknown id', async () => {
    const user = await insertLoggedInUser(database);
    const foreign = await insertTestToken(database, (await insertTestUser(database)).id);
    for (const id of [foreign.id, newId(), foreign.hash, 'nothing', '%00', user.id]) {
      const response = await service.api.delete(`/api/v1/tokens/${id}`, { token: user.token });
      assert.equal(response.status, 404, id);
      assert.deepEqual(response.body, notFound);
    }
    assert.equal((await service.api.get('/api/v1/me', { token: foreign.token })).status, 200);
  });

  test('tokens grant only scopes that match completely', async () => {
    const { id } = await insertTestUser(database);
    for (const scopes of ['*', 'self', 'self:reader', 'admin', 'SELF:READ', '']) {
      const { token } = await insertTestToken(database, id, { scopes });
      assert.equal((await service.api.get('/api/v1/me', { token })).status, 403, scopes);
    }
  });

  test('tokens can be revoked by a logout, whatever their scopes', async () => {
    const { token } = await insertTestToken(database, (await insertTestUser(database)).id, {
      scopes: 'self:read',
    });
    assert.equal((await service.api.request('POST', '/api/logout', { token })).status, 200);
  });
});
