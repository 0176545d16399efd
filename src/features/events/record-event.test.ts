import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestEvents, numberAllEvents } from '../../../test/support/events.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { type ActionContext, runInContext } from '../../callers/action-context.ts';
import { sql } from '../../database/database.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { EVENT_TYPES } from './event-types.ts';
import { recordCounts } from './numbering/numbering.ts';
import { deleteEndedCounts } from './numbering/queries.ts';
import { readLatestOfSubject } from './queries.ts';
import { formatUserSubject, type NewEvent, recordEvent } from './record-event.ts';
import { MAX_REPEATED } from './retention/delete-events.ts';

const NOW = Date.UTC(2026, 0, 1);
const FAILED_LOGINS = sql<{ total: number }>(
  "select count(*) as total from events where type = 'login.failed' and subject is null",
);
const COUNTS = sql<{ count: number }>(
  "select count(*) as count from event_counts where count_key >= $1 and count_key < $1 || '~'",
);
const ANONYMOUS: ActionContext = {
  actor: { type: 'anonymous', id: null, name: null },
  requestId: 'a-request',
  clientIp: '203.0.113.7',
  address: '203.0.113.0/24',
  userAgent: 'curl/8.9.1',
};

describeStorage('the events of a user', (engine) => {
  // The hours of the events have not ended for the service, which would record what was counted.
  const service = useService(engine, { clock: () => NOW, monotonicClock: () => performance.now() });
  const database = () => service.database;
  const newUser = async () => (await insertTestUser(database())).id;
  const record = (userId: string | null, ...events: Partial<NewEvent>[]) =>
    database().transaction(async (tx) => {
      for (const event of events)
        await recordEvent(tx, { userId, type: 'login.succeeded', actor: 'user', now: NOW, ...event });
    });
  const readStored = async (userId: string) => {
    await numberAllEvents(database());
    return (await readLatestOfSubject(database(), formatUserSubject(userId), 2_000)).reverse();
  };

  test('events name the request, the network and the device of their cause', async () => {
    const userId = await newUser();
    await runInContext(ANONYMOUS, () => record(userId, {}));
    const [event] = await readStored(userId);
    assert.deepEqual(JSON.parse(event!.data!), { request_id: 'a-request' });
    assert.equal(JSON.parse(event!.network!).value, '203.0.113.0/24');
    assert.equal(JSON.parse(event!.device!).value, 'curl/8.9.1');
    assert.deepEqual([event!.actor, event!.actor_id, event!.sequence], ['user', userId, 1]);
  });

  const MERGED_MS = 45_000;
  const recordCounted = (now: number) => database().transaction((tx) => recordCounts(tx, now, 100));

  test('events of a user that one cause repeats are recorded up to a number per hour, then as one within a minute', async () => {
    const userId = await newUser();
    const first = EVENT_TYPES['login.succeeded'].perHour!;
    const logIn = (count: number, now: number) =>
      record(userId, ...Array.from({ length: count }, (_, index) => ({ now: now + index })));
    await logIn(first + 7, NOW);
    assert.equal((await readStored(userId)).length, first);
    await recordCounted(NOW + first + MERGED_MS - 1);
    assert.equal((await readStored(userId)).length, first, 'more may follow');
    for (const _ of [1, 2]) await recordCounted(NOW + first + MERGED_MS);
    await logIn(2, NOW + MINUTE);
    for (const _ of [1, 2]) await recordCounted(NOW + MINUTE + MERGED_MS);
    const merged = (await readStored(userId)).slice(first).map(({ data }) => JSON.parse(data!));
    assert.deepEqual(merged, [
      { occurrences: 7, first_at: NOW + first, last_at: NOW + first + 6 },
      { occurrences: 2, first_at: NOW + MINUTE, last_at: NOW + MINUTE + 1 },
    ]);
    await logIn(1, NOW + HOUR);
    await database().transaction((tx) => deleteEndedCounts(tx, NOW + HOUR, 100));
    assert.equal((await database().get(COUNTS, `user:${userId} `))!.count, 1);
    assert.equal((await readStored(userId)).length, first + 3, 'the next hour begins anew');
  });

  test('events that were merged name their actor, and those of another actor are recorded on their own', async () => {
    const userId = await newUser();
    const change = (actor: string, count: number) =>
      record(
        userId,
        ...Array.from({ length: count }, () => ({
          type: 'user.updated' as const,
          actor: { type: 'user' as const, id: actor, name: null },
        })),
      );
    const [ada, bob] = [await newUser(), await newUser()];
    await change(ada, 61);
    await change(bob, 1);
    await recordCounted(NOW + MERGED_MS);
    const actors = (await readStored(userId)).map(({ actor_id }) => actor_id);
    assert.equal(actors.length, 62);
    assert.deepEqual(actors.slice(-2), [bob, ada]);
  });

  for (const [title, event] of [
    ['changes by administrators', { type: 'user.updated', actor: 'administrator' }],
    ['changes of the level', { type: 'user.updated', actor: 'system', changes: [{ name: 'level' }] }],
    ['exports', { type: 'users.exported', actor: 'administrator' }],
    ['wrong codes of administrators', { type: 'credential.totp_failed', actor: 'administrator' }],
  ] as const) {
    test(`${title} are never merged`, async () => {
      const userId = await newUser();
      await record(userId, ...Array.from({ length: 70 }, () => event));
      assert.equal((await readStored(userId)).length, 70);
    });
  }

  test('events about passwords and emails are recorded one by one, because they are limited where they are caused', async () => {
    const userId = await newUser();
    const types = ['password.changed', 'email.change_requested'] as const;
    await record(userId, ...Array.from({ length: 70 }, (_, index) => ({ type: types[index % 2]! })));
    assert.equal((await readStored(userId)).length, 70);
  });

  test('logins of a user beyond 300 lose everything but their hashes, the oldest first, and nothing else does', async () => {
    const userId = await newUser();
    await record(userId, { type: 'password.changed', now: 0 }, { type: 'login.failed', actor: 'anonymous' });
    await insertTestEvents(database(), userId, MAX_REPEATED, 'login.succeeded');
    await readStored(userId);
    await record(userId, {}, {});
    const stored = await readStored(userId);
    const logins = stored.filter(({ type }) => type === 'login.succeeded');
    assert.equal(logins.length, MAX_REPEATED);
    assert.equal(logins[0]!.created_at, 3, 'the times of those before begin with 1');
    assert.equal(stored.at(-1)!.sequence, MAX_REPEATED + 4);
    assert.equal(stored.length, MAX_REPEATED + 2);
  });

  test('failed logins without an account are recorded up to ten per network and hour, and counted beyond', async () => {
    const failure = { type: 'login.failed', actor: 'anonymous', outcome: 'failure', now: NOW } as const;
    const fail = (clientIp: string, count: number) =>
      runInContext({ ...ANONYMOUS, clientIp }, () =>
        record(null, ...Array.from({ length: count }, () => ({ ...failure, reason: 'unknown_email' }))),
      );
    const countStored = async () => {
      await numberAllEvents(database());
      return (await database().get(FAILED_LOGINS))!.total;
    };
    await fail('2001:db8:1::7', 12);
    await fail('2001:db8:1:ffff::7', 12);
    assert.equal(await countStored(), 10, 'a /48 is one network');
    await fail('2001:db8:2::7', 3);
    assert.equal(await countStored(), 13);
  });
});
