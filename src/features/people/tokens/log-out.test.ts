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
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;
  const logOut = (token: string, request: ApiRequest) =>
    service.api.request('POST', '/api/logout', { ...request, token });
  /** Returns a user with three sessions, and a session of another user. */
  const sessions = async () => {
    const { database } = service.service;
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

  const cases: readonly [string, boolean[], string[]][] = [
    ['current', [false, true, true], ['token.revoked (logout) by user']],
    ['others', [true, false, false], ['token.revoked (several) by user']],
    ['all', [false, false, false], ['token.revoked (several) by user', 'token.revoked (logout) by user']],
  ];
  const messages: Readonly<Record<string, string>> = {
    current: 'Logged out',
    others: 'Logged out of all other sessions',
    all: 'Logged out of all sessions',
  };
  for (const [scope, alive, events] of cases) {
    test(`sessions of a user are ended by a logout with the scope ${scope}, which states and records it`, async () => {
      const user = await sessions();
      const { status, body } = await logOut(user.token, { body: { scope } });
      assert.equal(status, 200);
      assert.deepEqual(body, { message: messages[scope] });
      assert.deepEqual(await user.alive(), alive);
      assert.deepEqual(await listEvents(service, user.id), events);
    });
  }

  test('sessions are ended one at a time by a logout without a scope', async () => {
    const json = { 'content-type': 'application/json' };
    const requests: readonly ApiRequest[] = [
      {},
      { headers: json },
      { headers: { ...json, 'content-length': '0' } },
      { raw: '', headers: json },
      { raw: '{}' },
      { raw: '{"a":1}' },
    ];
    for (const request of requests) {
      const user = await sessions();
      const { status, body } = await logOut(user.token, request);
      assert.equal(status, 200, String(request.raw));
      assert.deepEqual(body, { message: 'Logged out' });
      assert.deepEqual(await user.alive(), [false, true, true]);
    }
  });

  test('sessions are all kept by a logout whose body is no JSON object, which is rejected with 400', async () => {
    const user = await sessions();
    const texts = ['[]', '["all"]', 'null', '5', '"all"', '{', 'all', '{"scope":"all","scope":"all"}'];
    for (const raw of [...texts, Buffer.from([0xff, 0xfe])]) {
      const { status, body } = await logOut(user.token, { raw });
      assert.deepEqual([status, body.code], [400, 'invalid_payload'], String(raw));
    }
    assert.deepEqual(await user.alive(), [true, true, true]);
  });

  test('sessions are all kept by a logout with an unknown scope, which is rejected with 400', async () => {
    const user = await sessions();
    for (const scope of ['everything', 'ALL', 'current ', '', null, 1, ['all'], {}]) {
      const { status, body } = await logOut(user.token, { body: { scope } });
      assert.equal(status, 400, JSON.stringify(scope));
      assert.deepEqual(Object.keys(body.errors), ['scope']);
    }
    assert.deepEqual(await user.alive(), [true, true, true]);
    assert.deepEqual(await listEvents(service, user.id), []);
  });

  test('sessions but the current one are ended by DELETE /api/v1/tokens?except=current', async () => {
    const user = await sessions();
    const revoke = () => service.api.delete('/api/v1/tokens?except=current', { token: user.token });
    const { status, body } = await revoke();
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Other tokens revoked', data: { revoked: 2 } });
    assert.deepEqual(await user.alive(), [true, false, false]);
    assert.deepEqual((await revoke()).body.data, { revoked: 0 });
    assert.deepEqual(await listEvents(service, user.id), ['token.revoked (several) by user']);
    assert.equal((await service.api.delete('/api/v1/tokens?except=current')).status, 401);
  });

  test('sessions are all kept by DELETE /api/v1/tokens without except=current, which is rejected with 400', async () => {
    const user = await sessions();
    for (const query of ['', '?', '?except', '?except=', '?except=none', '?except=current&except=current']) {
      const { status, body } = await service.api.delete(`/api/v1/tokens${query}`, { token: user.token });
      assert.equal(status, 400, query);
      assert.deepEqual(body, { error: 'except must be current', code: 'invalid_filter' });
    }
    assert.deepEqual(await user.alive(), [true, true, true]);
  });

  test('sessions but one are kept when two of them revoke all others at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { database } = service.service;
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
