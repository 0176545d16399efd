import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import {
  assertExactFigures,
  assertExactPreviousDays,
  countDistinctUsers,
} from '../../../../test/support/statistics/statistics.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { DAY } from '../../../lib/time.ts';
import { deleteOldActivity, recordActiveUsers } from './active-users.ts';
import { countActiveUsers, countActiveUsersByDay } from './queries.ts';

const USERS = 6;
const DAYS = 40;
const CLEAR = [sql('delete from user_activity'), sql('delete from active_users')];

type ActivityStep =
  | { readonly kind: 'record'; readonly at: number; readonly users: readonly number[] }
  | { readonly kind: 'erase'; readonly user: number }
  | { readonly kind: 'expire'; readonly before: number };

const day = fc.integer({ min: 0, max: DAYS });
const user = fc.integer({ min: 0, max: USERS - 1 });
const record: fc.Arbitrary<ActivityStep> = fc.record({
  kind: fc.constant('record' as const),
  at: fc.integer({ min: 0, max: (DAYS + 1) * DAY - 1 }),
  users: fc.uniqueArray(user, { minLength: 1 }),
});
const erase: fc.Arbitrary<ActivityStep> = fc.record({ kind: fc.constant('erase' as const), user });
const expire: fc.Arbitrary<ActivityStep> = fc.record({ kind: fc.constant('expire' as const), before: day });

describeStorage('the number of active users', (engine) => {
  const service = useService(engine);
  const { database } = service;

  /** Starts with new users and no activity. Returns the function that executes a step. */
  async function newPopulation() {
    await database.transaction(async (tx) => {
      for (const statement of CLEAR) await tx.run(statement);
    });
    const ids: string[] = [];
    for (let count = 0; count < USERS; count++) ids.push((await insertTestUser(database)).id);
    return async (step: ActivityStep) => {
      if (step.kind === 'record') {
        const users = step.users.map((index) => ids[index]!);
        await database.transaction((tx) => recordActiveUsers(tx, step.at, users));
      } else if (step.kind === 'erase') {
        const path = `/api/v1/users/${ids[step.user]}`;
        assert.ok([204, 404].includes((await service.api.delete(path, admin)).status));
      } else {
        await database.transaction((tx) => deleteOldActivity(tx, step.before, 3));
      }
    };
  }

  /** Executes steps in pairs that run at the same time, as on two nodes. */
  async function executeInPairs(steps: readonly ActivityStep[]): Promise<void> {
    const execute = await newPopulation();
    for (let index = 0; index < steps.length; index += 2) {
      await Promise.all(steps.slice(index, index + 2).map(execute));
    }
  }

  test('active users are counted once in any period, in whatever order days are recorded and users erased', async () => {
    const steps = fc.array(fc.oneof({ weight: 6, arbitrary: record }, erase), { maxLength: 24 });
    const periods = fc.array(fc.tuple(day, day), { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, periods, async (sequence, pairs) => {
        await executeInPairs(sequence);
        await assertExactFigures(database);
        await assertExactPreviousDays(database);
        for (const [one, other] of pairs) {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          assert.equal(
            await countActiveUsers(database, from, to),
            await countDistinctUsers(database, from, to),
          );
          const byDay = await countActiveUsersByDay(database, from, from);
          assert.equal(byDay.get(from) ?? 0, await countDistinctUsers(database, from, from));
        }
      }),
      { numRuns: engine === 'sqlite' ? 15 : 8 },
    );
  });

  test('active users are counted once in any period after the oldest days are deleted', async () => {
    const steps = fc.array(fc.oneof({ weight: 6, arbitrary: record }, erase, expire), { maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(steps, day, async (sequence, to) => {
        await executeInPairs(sequence);
        await assertExactFigures(database);
        const oldest = Math.max(0, ...sequence.map((step) => (step.kind === 'expire' ? step.before : 0)));
        for (const from of [oldest, Math.min(oldest + 3, DAYS)]) {
          assert.equal(
            await countActiveUsers(database, from, to),
            await countDistinctUsers(database, from, to),
          );
        }
      }),
      { numRuns: engine === 'sqlite' ? 15 : 8 },
    );
  });
});
