import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '../../../../test/support/api.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken } from '../../../../test/support/users.ts';
import { DAY } from '../../../lib/time.ts';

describeOnEachEngine('sessions of a user', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;
  const logOut = (token: string, request: ApiRequest) =>
    service.api.request('POST', '/api/logout', { ...request, token });
  /** Returns a user with three sessions, and a session of another user. */
  const sessions = async () => {
    const user = await insertLoggedInUser(database);
    const others = [await insertTestToken(database, user.id), await insertTestToken(database, user.id)];
    await insertTestToken(database, user.id, { expiresAt: Date.now() - DAY });
    const otherUser = await insertLoggedInUser(database);
    const alive = async () => {
      assert.equal(await isAlive(otherUser.token), true);
      return [await isAlive(user.token), await isAlive(others[0]!.token), await isAlive(others[1]!.token)];
    };
    return { ...user, others, alive };
  };

  const revoked = (...hints: string[]) => hints.map((hint) => `token.revoked (${hint}) by user`);
  const cases: readonly [scope: string | undefined, message: string, alive: boolean[], events: string[]][] = [
    [undefined, 'Logged out', [false, true, true], revoked('logout')],
    ['current', 'Logged out', [false, true, true], revoked('logout')],
    ['others', 'Logged out of all other sessions', [true, false, false], revoked('several')],
    ['all', 'Logged out of all sessions', [false, false, false], revoked('several', 'logout')],
  ];
  for (const [scope, message, alive, events] of cases) {
    test(`sessions of a user are ended by a logout with the scope ${scope}, which states and records it`, async () => {
      const user = await sessions();
      const { status, body } = await logOut(user.token, scope === undefined ? {} : { body: { scope } });
      assert.equal(status, 200);
      assert.deepEqual(body, { message });
      assert.deepEqual(await user.alive(), alive);
      assert.deepEqual(await listEvents(service, user.id), events);
    });
  }

  test('sessions but the current one are ended by DELETE /api/v1/tokens?except=current', async () => {
    const user = await sessions();
    const revoke = () => service.api.delete('/api/v1/tokens?except=current', { token: user.token });
    const { status, body } = await revoke();
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Other tokens revoked', data: { revoked: 2 } });
    assert.deepEqual(await user.alive(), [true, false, false]);
    assert.deepEqual((await revoke()).body.data, { revoked: 0 });
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked (several) by user']);
  });

  test('sessions but one are kept when two of them revoke all others at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await insertLoggedInUser(database);
      const other = await insertTestToken(database, user.id, { scopes: 'self:read tokens:manage' });
      const tokens = [user.token, other.token];
      const responses = await Promise.all(
        tokens.map((token) => logOut(token, { body: { scope: 'others' } })),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401]);
      const alive = await Promise.all(tokens.map(isAlive));
      assert.deepEqual(alive.toSorted(), [false, true]);
    }
  });

  test('sessions that are ended one by one have an event for each', async () => {
    const user = await sessions();
    const path = `/api/v1/tokens/${user.others[0]!.id}`;
    assert.equal((await service.api.delete(path, { token: user.token })).status, 204);
    assert.equal((await service.api.delete(path, { token: user.token })).status, 404);
    assert.deepEqual(await user.alive(), [true, false, true]);
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked by user']);
  });
});
