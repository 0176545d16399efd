import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDatabase } from '../../../../test/support/database.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { sql } from '../../../database/database.ts';
import { DAY, formatTimestamp } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { createDeleteOfOldEvents } from './delay-retention.ts';

const START = Date.UTC(2026, 0, 1);
const OPERATOR = 'operator@example.com';
const AGES = sql<{ created_at: number }>(
  "select created_at from events where type = 'email.verified' order by created_at",
);
const ANNOUNCED = sql<{ data: string }>(
  "select data from events where type = 'events.retention_shortened' order by id",
);
const MAIL = sql<{ email: string; data: string }>(
  "select email, data from jobs where kind = 'retention_shortened' order by id",
);

describeOnEachEngine('a shorter EVENTS_DAYS', (engine) => {
  const { database } = useDatabase(engine);
  /** Runs the housekeeping so many days after the start, and returns the ages of the events that are left. */
  const run = async (day: number, eventsDays: number) => {
    await numberAllEvents(database);
    const now = START + day * DAY;
    const work = createDeleteOfOldEvents(eventsDays, OPERATOR);
    await database.transaction((tx) => work(tx, now, 100));
    return (await database.all(AGES)).map(({ created_at }) => Math.round((START - created_at) / DAY));
  };

  test('a shorter EVENTS_DAYS takes effect after seven days, with one event and one message to the operator', async () => {
    await database.transaction(async (tx) => {
      for (const age of [150, 60, 5])
        await recordEvent(tx, { type: 'email.verified', userId: 'ada', now: START - age * DAY });
    });
    assert.deepEqual(await run(0, 180), [150, 60, 5]);
    assert.deepEqual(await database.all(MAIL), []);
    for (const day of [1, 2, 7.9]) assert.deepEqual(await run(day, 30), [150, 60, 5]);
    const announced = await database.all(ANNOUNCED);
    assert.equal(announced.length, 1);
    assert.deepEqual(JSON.parse(announced[0]!.data).details, {
      from: 180,
      to: 30,
      effective_at: formatTimestamp(START + 8 * DAY),
    });
    const [mail, ...others] = await database.all(MAIL);
    assert.deepEqual([mail!.email, JSON.parse(mail!.data).days, others], [OPERATOR, '30', []]);
    assert.deepEqual(await run(8, 30), [5]);
  });

  test('a shorter EVENTS_DAYS that is changed back has no effect, and an even shorter one waits anew', async () => {
    const count = async () => (await database.all(MAIL)).length;
    const before = await count();
    const at = START + 100 * DAY;
    await run(100, 180);
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'email.verified', userId: 'ada', now: at - 60 * DAY }),
    );
    const exists = async (day: number, days: number) => (await run(day, days)).includes(-40);
    assert.ok(await exists(101, 30));
    assert.ok(await exists(105, 180));
    assert.ok(await exists(108, 30), 'the days before do not count');
    assert.ok(await exists(110, 10));
    assert.ok(await exists(116, 70), 'more than those that were announced need no time of their own');
    assert.ok(await exists(118, 10), 'even fewer do');
    assert.ok(await exists(124, 10));
    assert.ok(!(await exists(125, 10)));
    assert.equal(await count(), before + 4);
  });
});
