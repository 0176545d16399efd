import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestEvents, numberAllEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { type ActionContext, runInContext } from '../../callers/action-context.ts';
import { sql } from '../../database/database.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { recordCounts } from './counts/record-counts.ts';
import { EVENT_TYPES } from './event-types.ts';
import { MAX_EVENTS_PER_SUBJECT } from './numbering/number-events.ts';
import { readLatestOfSubject } from './queries.ts';
import { type NewEvent, recordEvent, userSubject } from './record-event.ts';

const NOW = Date.UTC(2026, 0, 1);
const FAILED_LOGINS = sql<{ total: number }>(
  "select count(*) as total from events where type = 'login.failed' and subject is null",
);
const ANONYMOUS: ActionContext = {
  actor: { type: 'anonymous', id: null, name: null },
  requestId: 'a-request',
  clientIp: '203.0.113.7',
  address: '203.0.113.0/24',
  userAgent: 'curl/8.9.1',
};

describeOnEachEngine('the events of a user', (engine) => {
  // The hours of the events have not ended for the service, which would record what was counted.
  const service = useService(engine, { clock: () => NOW, monotonicClock: () => performance.now() });
  const database = () => service.service.database;
  const newUser = async () => (await insertTestUser(database())).id;
  const record = (userId: string | null, ...events: Partial<NewEvent>[]) =>
    database().transaction(async (tx) => {
      for (const event of events)
        await recordEvent(tx, { userId, type: 'login.succeeded', actor: 'user', now: NOW, ...event });
    });
  const readStored = async (userId: string) => {
    await numberAllEvents(database());
    return (await readLatestOfSubject(database(), userSubject(userId), 2_000)).reverse();
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

  test('events of a user that one cause repeats within an hour are recorded up to a number, then as one after the hour', async () => {
    const userId = await newUser();
    const first = EVENT_TYPES['login.succeeded'].perHour!;
    const events = Array.from({ length: first + 7 }, (_, index) => ({ now: NOW + index }));
    await record(userId, ...events, { now: NOW + HOUR });
    assert.equal((await readStored(userId)).length, first + 1);
    const recordUntil = (now: number) => database().transaction((tx) => recordCounts(tx, now, 100));
    await recordUntil(NOW + HOUR - 1);
    assert.equal((await readStored(userId)).length, first + 1, 'the hour has not ended');
    for (const now of [NOW + HOUR, NOW + HOUR + 1]) await recordUntil(now);
    const stored = await readStored(userId);
    assert.equal(stored.length, first + 2);
    const { created_at, data } = stored.at(-1)!;
    assert.equal(created_at, NOW + HOUR);
    assert.deepEqual(JSON.parse(data!), { occurrences: 7, first_at: NOW, last_at: NOW + first + 6 });
  });

  test('events about passwords and emails are recorded one by one, because they are limited where they are caused', async () => {
    const userId = await newUser();
    const types = ['password.changed', 'email.change_requested'] as const;
    await record(userId, ...Array.from({ length: 70 }, (_, index) => ({ type: types[index % 2]! })));
    assert.equal((await readStored(userId)).length, 70);
  });

  test('events of a user beyond 1,000 lose everything but their hashes, the oldest first', async () => {
    const userId = await newUser();
    await insertTestEvents(database(), userId, MAX_EVENTS_PER_SUBJECT);
    await readStored(userId);
    await numberAllEvents(database());
    await record(userId, { type: 'user.disabled' }, { type: 'user.enabled' });
    const stored = await readStored(userId);
    assert.equal(stored.length, MAX_EVENTS_PER_SUBJECT);
    assert.deepEqual(
      stored.slice(-2).map(({ type }) => type),
      ['user.disabled', 'user.enabled'],
    );
    assert.equal(stored[0]!.created_at, 3, 'the times of those before begin with 1');
    assert.equal(stored.at(-1)!.sequence, MAX_EVENTS_PER_SUBJECT + 2);
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
