import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { DAY, formatTimestamp, HOUR, MINUTE } from '../../../lib/time.ts';
import { recordActiveUsers } from '../active-users/active-users.ts';
import { recomputeStatistics } from './recompute-statistics.ts';

const MIDNIGHT = Date.UTC(2026, 2, 31);
const MORNING = MIDNIGHT + 11 * HOUR + 21 * MINUTE + 30_000;
const EVENING = MIDNIGHT + 20 * HOUR;

describeOnEachEngine('equal spans of the dashboard', (engine) => {
  const time = { now: MORNING, elapsed: 0 };
  // No figures are cached: each request is later than their lifetime.
  const monotonicClock = () => (time.elapsed += MINUTE);
  const service = useService(engine, { clock: () => time.now, monotonicClock });
  const getSpans = async (at: number) => {
    time.now = at;
    const { status, body } = await service.api.get('/api/v1/admin/dashboard', { token: ADMIN_TOKEN });
    assert.equal(status, 200);
    return body.data.equal_spans;
  };
  const recordActive = (at: number, ...ids: string[]) =>
    service.service.database.transaction((tx) => recordActiveUsers(tx, at, ids));
  const insertUsers = async (...times: number[]) => {
    const ids: string[] = [];
    for (const createdAt of times)
      ids.push((await insertTestUser(service.service.database, { createdAt })).id);
    return ids;
  };
  beforeEach(async () => {
    await service.service.database.transaction(async (tx) => {
      for (const table of ['user_activity', 'active_users', 'users'])
        await tx.run(sql(`delete from ${table}`));
      await tx.run(sql("delete from counters where name like 'active_users:%'"));
    });
    await recomputeStatistics(service.service.database, () => time.now);
  });

  for (const [part, now] of Object.entries({ morning: MORNING, evening: EVENING })) {
    test(`the dashboard compares new users with periods that end at the same time of day, in the ${part}`, async () => {
      await insertUsers(MIDNIGHT, now - 1, now);
      await insertUsers(MIDNIGHT - 1, MIDNIGHT - DAY, now - DAY, now - DAY + 1);
      await insertUsers(MIDNIGHT - 7 * DAY, now - 7 * DAY + 1, MIDNIGHT - 13 * DAY, MIDNIGHT - 13 * DAY - 1);
      await insertUsers(now - 30 * DAY, now - 30 * DAY + 1, MIDNIGHT - 59 * DAY, MIDNIGHT - 59 * DAY - 1);
      assert.deepEqual((await getSpans(now)).new_users, {
        until: formatTimestamp(now),
        today: { count: 3, previous: 2 },
        last_7_days: { count: 7, previous: 2 },
        last_30_days: { count: 11, previous: 2 },
      });
    });
  }

  test('the dashboard compares active users with periods that end at the same full hour of day', async () => {
    const until = MIDNIGHT + 11 * HOUR;
    const [one, two, three] = (await insertUsers(0, 0, 0)) as [string, string, string];
    // The first activity of a day decides.
    await recordActive(until - 1, one);
    await recordActive(until, one, two);
    await recordActive(until - DAY - 1, two);
    await recordActive(until - DAY, three);
    await recordActive(until - 7 * DAY - 1, one, two);
    await recordActive(until - 7 * DAY, three);
    await recordActive(until - 13 * DAY, three, one);
    await recordActive(until - 30 * DAY - 1, one);
    await recordActive(until - 30 * DAY, two);
    await recordActive(until - 59 * DAY, three);
    assert.deepEqual((await getSpans(MORNING)).active_users, {
      until: formatTimestamp(until),
      today: { count: 1, previous: 1 },
      last_7_days: { count: 3, previous: 3 },
      last_30_days: { count: 3, previous: 2 },
    });
    assert.deepEqual((await getSpans(MORNING + HOUR)).active_users.today, { count: 2, previous: 2 });
  });

  test('the dashboard compares nothing with nothing at midnight, and the first hour of two days after it', async () => {
    const [early, late] = (await insertUsers(MIDNIGHT - 1, MIDNIGHT - DAY + 1)) as [string, string];
    await recordActive(MIDNIGHT - DAY, early);
    await recordActive(MIDNIGHT - HOUR - 1, late);
    const before = await getSpans(MIDNIGHT - 1);
    assert.deepEqual(before.new_users.today, { count: 2, previous: 0 });
    assert.deepEqual(before.active_users.today, { count: 2, previous: 0 });
    const at = await getSpans(MIDNIGHT);
    assert.deepEqual(at.new_users, { ...at.new_users, until: formatTimestamp(MIDNIGHT) });
    assert.deepEqual([at.new_users.today, at.active_users.today], Array(2).fill({ count: 0, previous: 0 }));
    assert.deepEqual(at.new_users.last_7_days, { count: 2, previous: 0 });
    const after = await getSpans(MIDNIGHT + HOUR);
    assert.deepEqual(after.new_users.today, { count: 0, previous: 1 });
    assert.deepEqual(after.active_users.today, { count: 0, previous: 1 });
  });

  test('the dashboard does not compare days of which an earlier release has recorded activity without its time', async () => {
    const { database } = service.service;
    const [id] = (await insertUsers(0)) as [string];
    await recordActive(MIDNIGHT - DAY, id);
    await recordActive(MIDNIGHT, id);
    await database.transaction((tx) =>
      tx.run(sql('update user_activity set hour = null where day = $1'), MIDNIGHT / DAY - 1),
    );
    await recomputeStatistics(database, () => MORNING);
    const { today, last_7_days } = (await getSpans(MORNING)).active_users;
    assert.deepEqual(today, { count: 1, previous: null });
    assert.deepEqual(last_7_days, { count: 1, previous: 0 });
  });

  test('the dashboard forgets erased users in all of its periods', async () => {
    const [id] = (await insertUsers(MORNING - DAY)) as [string];
    await recordActive(MIDNIGHT - DAY, id);
    assert.deepEqual((await getSpans(MORNING)).active_users.today.previous, 1);
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, { token: ADMIN_TOKEN })).status, 204);
    const { new_users, active_users } = await getSpans(MORNING);
    assert.deepEqual([new_users.today.previous, active_users.today.previous], [0, 0]);
  });
});
