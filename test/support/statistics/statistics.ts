/** Figures as they are stored, and the same figures counted row by row. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type Database, sql } from '../../../src/database/database.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';

const COUNTERS = sql<{ name: string; period: number; value: number }>(
  'select name, period, value from counters',
);
const ACTIVE_USERS = sql<{ day: number; previous_day: number; users: number }>(
  'select day, previous_day, users from active_users',
);
const USERS = sql<{ state: string; owns_email: number; created_at: number }>(
  'select state, owns_email, created_at from users',
);
const TOKENS = sql<{ expires_at: number }>('select expires_at from tokens');
const ACTIVITY = sql<{ day: number; user_id: string; previous_day: number }>(
  'select day, user_id, previous_day from user_activity order by user_id, day',
);

/** Sums by key; those that are zero are left out. */
class Sums {
  readonly #sums = new Map<string, number>();

  add(key: string, value: number): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + value);
  }

  toObject(): Record<string, number> {
    return Object.fromEntries([...this.#sums].filter(([, sum]) => sum !== 0).sort());
  }
}

export async function storedFigures(database: Database): Promise<Record<string, number>> {
  const sums = new Sums();
  for (const { name, period, value } of await database.all(COUNTERS)) {
    // Sign-ins leave no rows that could be counted.
    if (!name.startsWith('sign_ins:')) sums.add(`${name} ${period}`, value);
  }
  for (const { day, previous_day, users } of await database.all(ACTIVE_USERS)) {
    sums.add(`active users ${day} after ${previous_day}`, users);
  }
  return sums.toObject();
}

export async function countedFigures(database: Database): Promise<Record<string, number>> {
  const sums = new Sums();
  for (const { state, owns_email, created_at } of await database.all(USERS)) {
    sums.add(`users:${state} 0`, 1);
    sums.add(`sign_ups ${Math.floor(created_at / DAY)}`, 1);
    if (state === 'unclaimed' && owns_email === 0) sums.add('unclaimed_users 0', 1);
  }
  for (const { expires_at } of await database.all(TOKENS)) {
    sums.add(`tokens ${Math.floor(expires_at / HOUR)}`, 1);
  }
  for (const { day, previous_day } of await database.all(ACTIVITY))
    sums.add(`active users ${day} after ${previous_day}`, 1);
  return sums.toObject();
}

/** Reads again after a difference, because a service may write activity between the two reads. */
export async function assertExactFigures(database: Database): Promise<void> {
  const areEqual = async () =>
    isDeepStrictEqual(await storedFigures(database), await countedFigures(database));
  for (let attempt = 0; attempt < 5; attempt++) if (await areEqual()) return;
  assert.deepEqual(await storedFigures(database), await countedFigures(database));
}

/** Asserts that the previous day of each row is that of the user's row before it; -1 for the first one. */
export async function assertExactPreviousDays(database: Database): Promise<void> {
  let before = { user_id: '', day: -1 };
  for (const { user_id, day, previous_day } of await database.all(ACTIVITY)) {
    assert.equal(previous_day, before.user_id === user_id ? before.day : -1, `day ${day} of ${user_id}`);
    before = { user_id, day };
  }
}

/** Counts the users that were active from `fromDay` to `toDay`, row by row. */
export async function countDistinctUsers(
  database: Database,
  fromDay: number,
  toDay: number,
): Promise<number> {
  const rows = await database.all(ACTIVITY);
  return new Set(rows.filter(({ day }) => day >= fromDay && day <= toDay).map(({ user_id }) => user_id)).size;
}
