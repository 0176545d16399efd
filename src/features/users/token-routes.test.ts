import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import { listEvents, logIn } from '../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, editor, useService, useSharedService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import {
  insertLoggedInUser,
  insertTestToken,
  insertTestUser,
  register,
} from '../../../test/support/users.ts';
import { ROLES } from '../../callers/admin-scopes.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, MINUTE } from '../../lib/time.ts';

const toPath = (id: string) => `/api/v1/users/${id}/tokens`;

describeOnSqlite('GET /api/v1/users/{id}/tokens', (engine) => {
  const service = useSharedService(engine);

  test('GET /api/v1/users/{id}/tokens returns the valid tokens to the administrator, newest first, without texts', async () => {
    const { database } = service;
    const user = await insertTestUser(database);
    const expiresAt = Date.now() + DAY;
    const older = await insertTestToken(database, user.id, { expiresAt });
    const newer = await insertTestToken(database, user.id, { scopes: 'self:read self:write', expiresAt });
    await insertTestToken(database, user.id, { expiresAt: Date.now() - MINUTE });
    await insertLoggedInUser(database);
    const { status, text, body } = await service.api.get(toPath(user.id), admin);
    assert.equal(status, 200);
    assert.equal(body.message, 'Tokens list');
    assert.deepEqual(
      body.data.map(({ id, scopes }: { id: string; scopes: string[] }) => [id, scopes]),
      [
        [newer.id, ['self:read', 'self:write']],
        [older.id, ['self:read']],
      ],
    );
    for (const secret of [older.token, older.hash]) assert.equal(text.includes(secret), false);
  });
});

describeOnSqlite('DELETE /api/v1/users/{id}/tokens', (engine) => {
  const service = useService(engine);
  const revoke = (id: string, credential: object = admin) => service.api.delete(toPath(id), credential);

  test('DELETE /api/v1/users/{id}/tokens revokes every token of the user, and records it once', async () => {
    const { database } = service;
    const user = await insertLoggedInUser(database);
    const elsewhere = await insertTestToken(database, user.id);
    const other = await insertLoggedInUser(database);
    for (let count = 0; count < 2; count++) assert.equal((await revoke(user.id)).status, 204);
    for (const { token } of [user, elsewhere])
      assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
    assert.equal((await service.api.get('/api/v1/me', { token: other.token })).status, 200);
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked (several) by administrator']);
    assert.deepEqual(await listEvents(service, other.id), []);
    await assertExactFigures(database);
  });

  test('DELETE /api/v1/users/{id}/tokens keeps the figures exact during concurrent logins', async () => {
    const person = await register(service);
    const logins = Array.from({ length: 4 }, () => logIn(service, person));
    const revocations = Array.from({ length: 4 }, () => revoke(person.id));
    for (const { status } of await Promise.all(revocations)) assert.equal(status, 204);
    for (const { status } of await Promise.all(logins)) assert.equal(status, 200);
    assert.equal((await revoke(person.id)).status, 204);
    assert.deepEqual((await service.api.get(toPath(person.id), admin)).body.data, []);
    await assertExactFigures(service.database);
  });
});

describeOnSqlite('DELETE /api/v1/users/{id}/tokens/{tokenId}', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const revoke = (userId: string, tokenId: string, credential: object = admin) =>
    service.api.delete(`${toPath(userId)}/${tokenId}`, credential);
  const getStatus = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;

  test('the administrator revokes one token, which leaves the others of the user valid, and is recorded', async () => {
    const user = await insertLoggedInUser(database);
    const revoked = await insertTestToken(database, user.id);
    const { status, text } = await revoke(user.id, revoked.id);
    assert.deepEqual([status, text], [204, '']);
    assert.deepEqual([await getStatus(revoked.token), await getStatus(user.token)], [401, 200]);
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked by administrator']);
    await assertExactFigures(database);
  });

  test('DELETE /api/v1/users/{id}/tokens/{tokenId} rejects a revoked token, or that of another user, with 404', async () => {
    const user = await insertTestUser(database);
    const other = await insertTestUser(database);
    const { id, token } = await insertTestToken(database, other.id);
    const gone = await insertTestToken(database, user.id);
    assert.equal((await revoke(user.id, gone.id)).status, 204);
    for (const tokenId of [id, gone.id, newId(), 'x']) {
      const { status, body } = await revoke(user.id, tokenId);
      assert.deepEqual([status, body.code], [404, 'token_not_found']);
    }
    assert.equal(await getStatus(token), 200);
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked by administrator']);
  });
});

describeOnSqlite('GET /api/v1/users/{id}/events', (engine) => {
  const service = useSharedService(engine);

  test('the role support reads the events of a user who exists', async () => {
    const { id } = await insertLoggedInUser(service.database);
    await service.api.patch(`/api/v1/users/${id}`, { level: 'gold' }, editor);
    const { secret } = await createCredential(service, ROLES.support);
    const get = (path: string) => service.api.get(path, { token: secret });
    const { status, body } = await get(`/api/v1/users/${id}/events?limit=1`);
    assert.deepEqual([status, body.data[0].type, body.data[0].user.id], [200, 'user.updated', id]);
    assert.equal((await get(`/api/v1/users/${newId()}/events`)).status, 404);
  });
});
