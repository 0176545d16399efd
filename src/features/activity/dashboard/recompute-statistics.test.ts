import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import {
  assertExactFigures,
  assertExactPreviousDays,
  countedFigures,
  storedFigures,
} from '../../../../test/support/statistics/statistics.ts';
import { insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { DAY, toDayNumber } from '../../../lib/time.ts';
import { recordActiveUsers } from '../active-users/active-users.ts';
import { lockActiveUsers } from '../active-users/queries.ts';
import { recomputeStatistics } from './recompute-statistics.ts';

const CORRUPT = [
  "update counters set value = value + 3 where name = 'users:active'",
  "delete from counters where name = 'tokens'",
  "update counters set value = value - 1 where name = 'sign_ups'",
  'delete from counters where slot = 77',
  "insert into counters (name, period, slot, value) values ('unclaimed_users', 0, 77, -12)",
  "insert into counters (name, period, slot, value) values ('users:disabled', 0, 77, 4)",
  'update active_users set users = users + 2',
  'delete from active_users where day = 3',
  'insert into active_users (day, previous_day, users) values (3, 1, 5)',
  'update user_activity set previous_day = day - 1 where user_id = (select max(user_id) from user_activity)',
].map((text) => sql(text));

describeStorage('recompute of the statistics', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const today = toDayNumber(Date.now());

  /** Inserts users of several days with tokens and activity, and makes every figure wrong. */
  async function storeWrongFigures(): Promise<void> {
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) {
      ids.push((await insertLoggedInUser(database, Date.now() - (count % 3) * DAY)).id);
      await insertTestUser(database, { state: 'unclaimed', ownsEmail: false });
    }
    await database.transaction(async (tx) => {
      for (const day of [today - 9, today - 4, today - 20, today])
        await recordActiveUsers(tx, day * DAY, ids);
      for (const statement of CORRUPT) await tx.run(statement);
    });
    assert.notDeepEqual(await storedFigures(database), await countedFigures(database));
  }

  /** Creates, changes and deletes users over HTTP, and records their activity, `rounds` times. */
  async function work(rounds: number): Promise<void> {
    const { service: running, api } = service;
    for (let round = 0; round < rounds; round++) {
      const { id, token } = await insertLoggedInUser(running.database);
      const { id: other } = await insertTestUser(running.database);
      await running.database.transaction((tx) =>
        recordActiveUsers(tx, (today - (round % 5)) * DAY, [id, other]),
      );
      await Promise.all([
        api.post('/api/v1/users', {}),
        api.post('/api/logout', undefined, { token }),
        api.delete(`/api/v1/users/${other}`, admin),
      ]);
    }
  }

  test('recompute makes all figures exact, and finds nothing to correct in exact figures', async () => {
    await storeWrongFigures();
    const corrections = await recomputeStatistics(database, Date.now);
    assert.ok(
      Object.values(corrections).every((count) => count > 0),
      JSON.stringify(corrections),
    );
    await assertExactFigures(database);
    await assertExactPreviousDays(database);
    const again = await recomputeStatistics(database, Date.now);
    assert.deepEqual(new Set(Object.values(again)), new Set([0]));
  });

  test('recompute makes all figures exact during concurrent changes of users, also twice at the same time', async () => {
    await storeWrongFigures();
    await Promise.all([
      work(12),
      work(12),
      recomputeStatistics(database, Date.now),
      recomputeStatistics(database, Date.now),
    ]);
    await assertExactFigures(database);
    await assertExactPreviousDays(database);
  });

  test('recompute leaves the previous day of rows whose earlier rows were deleted for their age', async () => {
    const { id } = await insertTestUser(database);
    await database.transaction(async (tx) => {
      await lockActiveUsers(tx);
      await tx.run(sql('delete from user_activity'));
      await tx.run(sql('delete from active_users'));
      for (const day of [today - 91, today - 80]) await recordActiveUsers(tx, day * DAY, [id]);
      await tx.run(sql(`delete from user_activity where day = ${today - 91}`));
      await tx.run(sql(`delete from active_users where day = ${today - 91}`));
    });
    const corrections = await recomputeStatistics(database, Date.now);
    assert.deepEqual(new Set(Object.values(corrections)), new Set([0]));
  });
});
