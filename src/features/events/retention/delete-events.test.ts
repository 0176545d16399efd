import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { insertTestEvents, numberAllEvents } from '../../../../test/support/events.ts';
import { keepHouse } from '../../../../test/support/housekeeping.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { runInContext } from '../../../callers/action-context.ts';
import { type Database, sql } from '../../../database/database.ts';
import { DAY, HOUR } from '../../../lib/time.ts';
import type { EventType } from '../event-types.ts';
import { readChain, readEventsAfter } from '../queries.ts';
import { recordEvent } from '../record-event.ts';
import { deleteOldEvents } from './delete-events.ts';
import type { Age } from './queries.ts';

const NOW = Date.UTC(2026, 5, 1);

describeStorage('the retention of events', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const context = {
    actor: { type: 'user', id: 'ada', name: null },
    requestId: null,
    clientIp: '203.0.113.7',
    address: '203.0.113.0/24',
    userAgent: 'curl/8',
  } as const;

  test('events are deleted after EVENTS_DAYS from the start of the chain, and their addresses after 30 days', async () => {
    const ages = [101, 100.5, 100, 31, 30, 1];
    await runInContext(context, () =>
      database.transaction(async (tx) => {
        for (const days of ages)
          await recordEvent(tx, { type: 'email.verified', userId: 'ada', now: NOW - days * DAY });
        await recordEvent(tx, { type: 'user.erased', userId: 'bob', now: NOW - 101 * DAY });
      }),
    );
    await numberAllEvents(database);
    const before = await readEventsAfter(database, 0, 10);
    const settings = { current: { unclaimedUsersDays: 7, eventsDays: 100 } };
    await keepHouse(database, { clock: () => NOW, settings });
    const kept = await readEventsAfter(database, 0, 10);
    // The event of Bob follows younger ones: it is deleted with them.
    assert.deepEqual(
      kept.map(({ number, network, device }) => [number, network !== null, device !== null]),
      [
        [3, false, true],
        [4, false, true],
        [5, true, true],
        [6, true, true],
        [7, false, true],
      ],
    );
    const { deleted_number, deleted_digest } = await readChain(database);
    assert.deepEqual([deleted_number, deleted_digest], [2, before[1]!.digest]);
  });

  test('an event that is dated in the future stops the deletion of neither the events before it nor those after it', async () => {
    await deleteAll(database, { before: NOW + 1, now: NOW + 1 }, 100);
    const { number } = await readChain(database);
    const days = [50, 49, -400, 48, 10, -400];
    await database.transaction(async (tx) => {
      for (const age of days)
        await recordEvent(tx, { type: 'email.verified', userId: 'eve', now: NOW - age * DAY });
    });
    await numberAllEvents(database);
    const age = { before: NOW - 30 * DAY, now: NOW };
    // The one in the future is the last of its batch.
    const deleted = await deleteAll(database, age, 3);
    const kept = await readEventsAfter(database, number, 10);
    assert.deepEqual(
      kept.map((event) => event.number - number),
      [5, 6],
    );
    assert.ok(deleted >= 4);
  });

  test('the last sequence of a subject is deleted with its last event', async () => {
    const subjects = ['webhook:one', 'credential:one'];
    const types = ['webhook.deleted', 'credential.revoked'] as const;
    await database.transaction(async (tx) => {
      for (const [index, subject] of subjects.entries())
        await recordEvent(tx, { type: types[index]!, subject, now: NOW });
    });
    await numberAllEvents(database);
    const count = async () => (await database.get(SUBJECTS))!.count;
    const before = await count();
    await deleteAll(database, { before: NOW + 1, now: NOW + 1 }, 100);
    assert.equal(await count(), before - 2);
  });
});

const SUBJECTS = sql<{ count: number }>('select count(*) as count from event_subjects');

async function deleteAll(database: Database, age: Age, limit: number): Promise<number> {
  let all = 0;
  for (;;) {
    const deleted = await database.transaction((tx) => deleteOldEvents(tx, age, limit));
    all += deleted;
    if (deleted < limit) return all;
  }
}

describeStorage('the record of several actors', (engine) => {
  const service = useService(engine);
  const types = [
    'login.succeeded',
    'login.failed',
    'password.changed',
    'user.updated',
    'session.opened',
  ] as const;

  test('no sequence of events of one actor removes what another one has caused', async () => {
    const { database } = service;
    let users = 0;
    const act = async (userId: string, actor: string, given: readonly [EventType, number][]) =>
      database.transaction(async (tx) => {
        for (const [type, count] of given)
          for (let index = 0; index < count; index++)
            await recordEvent(tx, {
              type,
              userId,
              actor: { type: 'user', id: actor, name: null },
              now: NOW + users * HOUR + index,
            });
      });
    const acts = fc.array(fc.tuple(fc.constantFrom(...types), fc.integer({ min: 1, max: 400 })), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(acts, fc.constantFrom(...types), async (given, type) => {
        const userId = `property-${++users}`;
        await act(userId, 'b', [[type, 3]]);
        await act(userId, 'a', given);
        await insertTestEvents(database, userId, 400, 'login.succeeded');
        await numberAllEvents(database);
        const rows = await readEventsAfter(database, 0, 100_000);
        const kept = rows.filter((row) => row.subject === `user:${userId}` && row.actor_id === 'b');
        assert.equal(kept.length, 3);
      }),
      { numRuns: engine === 'sqlite' ? 15 : 4 },
    );
  });
});
