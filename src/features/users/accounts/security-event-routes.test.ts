import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../../test/support/users.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { recordEvent } from '../../events/record-event.ts';

const admin = { token: ADMIN_TOKEN };
const OWN = '/api/v1/me/security-events';
const ALL = '/api/v1/admin/security-events';
const toPath = (id: string) => `/api/v1/users/${id}/security-events`;

describeOnEachEngine('security events', (engine) => {
  const service = useSharedService(engine);
  const record = (userId: string, count: number) =>
    service.service.database.transaction(async (tx) => {
      for (let number = 0; number < count; number++) {
        const now = Date.UTC(2026, 0, 1) + number;
        await recordEvent(tx, { userId, type: 'password.changed', actor: 'user', now });
      }
    });

  test('security events are returned to their user and the administrator, the last 100, newest first', async () => {
    const user = await insertLoggedInUser(service.service.database);
    await record(user.id, 103);
    await record((await insertTestUser(service.service.database)).id, 1);
    const own = await service.api.get(OWN, { token: user.token });
    assert.equal(own.status, 200);
    assert.equal(own.body.message, 'Security events');
    const times = own.body.data.map(({ created_at }: { created_at: string }) => created_at);
    assert.equal(times.length, 100);
    assert.equal(times[0], '2026-01-01T00:00:00.102Z');
    assert.equal(times.at(-1), '2026-01-01T00:00:00.003Z');
    assert.deepEqual(times, times.toSorted().reverse());
    const { id, ...event } = own.body.data[0];
    assert.match(id, /^[0-9a-f-]{36}$/);
    const once = { occurrences: 1, last_at: null };
    assert.deepEqual(event, { kind: 'password_changed', actor: 'user', created_at: times[0], ...once });
    assert.deepEqual((await service.api.get(toPath(user.id), admin)).body, own.body);
  });

  test('security events beyond 20 of a kind within an hour are returned as one with their number and last time', async () => {
    const { id, token } = await insertLoggedInUser(service.service.database);
    await service.service.database.transaction(async (tx) => {
      for (let minute = 0; minute < 23; minute++) {
        const now = Date.UTC(2026, 0, 1, 0, minute);
        await recordEvent(tx, { userId: id, type: 'token.rotated', actor: 'user', now });
      }
    });
    const { data } = (await service.api.get(OWN, { token })).body;
    assert.equal(data.length, 21);
    const counts = data.map(({ occurrences }: { occurrences: number }) => occurrences);
    assert.deepEqual(counts, [3, ...Array<number>(20).fill(1)]);
    assert.equal(data[0].last_at, '2026-01-01T00:22:00.000Z');
  });

  test('security events are an empty list for a user without any', async () => {
    const { id } = await insertTestUser(service.service.database);
    assert.deepEqual((await service.api.get(toPath(id), admin)).body, {
      message: 'Security events',
      data: [],
    });
  });

  test('security events are rejected with 401 without a valid credential, and with 403 without the scope', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const { token } = await insertTestToken(service.service.database, user.id, { scopes: 'self:write' });
    assert.equal((await service.api.get(OWN)).status, 401);
    assert.equal((await service.api.get(OWN, admin)).status, 401);
    const { status, body } = await service.api.get(OWN, { token });
    assert.deepEqual([status, body.code], [403, 'insufficient_scope']);
    for (const credential of [{}, { token: user.token }]) {
      assert.equal((await service.api.get(ALL, credential)).status, 401);
      assert.equal((await service.api.get(toPath(user.id), credential)).status, 401);
    }
  });

  test('security events of all users have the user as they are now, newest first', async () => {
    const [ada, bob, erased] = [
      await insertTestUser(service.service.database, { name: 'Ada' }),
      await insertTestUser(service.service.database, { name: null, email: null, emailKey: null }),
      await insertTestUser(service.service.database),
    ];
    await service.service.database.transaction(async (tx) => {
      for (const [number, { id: userId }] of [bob, ada, erased, bob].entries()) {
        const now = Date.UTC(2100, 0, 1) + number;
        await recordEvent(tx, { userId, type: 'password.reset', actor: 'anonymous', now });
      }
    });
    assert.equal((await service.api.delete(`/api/v1/users/${erased.id}`, admin)).status, 204);
    const { status, body } = await service.api.get(`${ALL}?limit=4`, admin);
    assert.deepEqual([status, body.message], [200, 'Security events']);
    const event = { kind: 'password_reset', actor: 'anonymous', occurrences: 1, last_at: null };
    const user = ({ id, email, name }: typeof ada) => ({ id, email, name });
    assert.deepEqual(
      body.data.map(({ id, ...rest }: { id: string }) => rest),
      [
        { ...event, created_at: '2100-01-01T00:00:00.003Z', user: user(bob) },
        {
          ...event,
          created_at: '2100-01-01T00:00:00.002Z',
          user: { id: erased.id, email: null, name: null },
        },
        { ...event, created_at: '2100-01-01T00:00:00.001Z', user: user(ada) },
        { ...event, created_at: '2100-01-01T00:00:00.000Z', user: user(bob) },
      ],
    );
  });

  test('security events of all users are 20 without a limit and at most 100', async () => {
    await record((await insertTestUser(service.service.database)).id, 101);
    for (const [query, count] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=101', 100],
    ] as const) {
      assert.equal((await service.api.get(`${ALL}${query}`, admin)).body.data.length, count);
    }
    for (const limit of ['-1', 'x', '1&limit=1']) {
      const { status, body } = await service.api.get(`${ALL}?limit=${limit}`, admin);
      assert.deepEqual([status, body.code], [400, 'invalid_limit']);
    }
  });

  test('security events of an unknown user are rejected with 404', async () => {
    for (const id of [newId(), 'x']) {
      const { status, body } = await service.api.get(toPath(id), admin);
      assert.deepEqual([status, body.code], [404, 'user_not_found']);
    }
  });

  test('security events include each time that the administrator has disabled and enabled the user', async () => {
    const { id } = await insertTestUser(service.service.database);
    const change = async (changes: object) => {
      const headers = { 'if-match': '*' };
      return (await service.api.patch(`/api/v1/users/${id}`, changes, { ...admin, headers })).status;
    };
    assert.equal(await change({ name: 'Other' }), 200);
    assert.equal(await change({ state: 'disabled', name: 'Another' }), 200);
    assert.equal(await change({ state: 'disabled' }), 200);
    assert.equal(await change({ level: 'gold' }), 200);
    assert.equal(await change({ state: 'active' }), 200);
    assert.equal(await change({ state: 'active', email: 'no address' }), 400);
    assert.deepEqual(await listEvents(service, id), [
      'disabled by administrator',
      'enabled by administrator',
    ]);
  });
});
