/**
 * Figures of periods that include today, compared with equal periods: today until now with yesterday until the same
 * time of day. A comparison with all of yesterday would show a loss every morning.
 */
import type { Database } from '../../../database/database.ts';
import { DAY, formatTimestamp, HOUR, toDayNumber } from '../../../lib/time.ts';
import { countUsersUntilHour, type PeriodDays } from '../active-users/hours/queries.ts';
import { countActiveUsers, countActiveUsersByDay } from '../active-users/queries.ts';
import { countSignUpsUntil } from './queries.ts';

type Counts = ReadonlyMap<number, number>;

interface EqualSpansInput {
  readonly database: Database;
  readonly now: number;
  /** Users by the day of their creation, of the last 60 days. */
  readonly signUps: Counts;
}

export async function countEqualSpans(input: EqualSpansInput) {
  const { database, now } = input;
  return {
    new_users: await compareSpans(now, (at, days) => countNewUsers(input, at, days)),
    // Activity is counted by the hour, and the last one has not ended.
    active_users: await compareSpans(Math.floor(now / HOUR) * HOUR, (at, days) =>
      countActiveUntil(database, at, days),
    ),
  };
}

/** Counts a period of `days` that ends at `until`; null if that is not known. */
type CountUntil = (until: number, days: PeriodDays) => Promise<number | null>;

async function compareSpans(until: number, count: CountUntil) {
  const compare = async (days: PeriodDays) => ({
    count: await count(until, days),
    previous: await count(until - days * DAY, days),
  });
  return {
    until: formatTimestamp(until),
    today: await compare(1),
    last_7_days: await compare(7),
    last_30_days: await compare(30),
  };
}

async function countNewUsers(
  { database, signUps, now }: EqualSpansInput,
  at: number,
  days: PeriodDays,
): Promise<number> {
  const lastDay = toDayNumber(at);
  const ofDay = signUps.get(lastDay) ?? 0;
  let count = at === now ? ofDay : await countSignUpsUntil(database, at, ofDay);
  for (let day = lastDay - days + 1; day < lastDay; day++) count += signUps.get(day) ?? 0;
  return count;
}

/** A user is new in the period on its last day, or was active on an earlier one. */
async function countActiveUntil(database: Database, until: number, days: PeriodDays): Promise<number | null> {
  const lastDay = toDayNumber(until);
  const hour = (until - lastDay * DAY) / HOUR;
  const added = await countUsersUntilHour(database, { day: lastDay, hour, days });
  const known = (await countActiveUsersByDay(database, lastDay, lastDay)).get(lastDay) ?? 0;
  if (added.ofDay < known) return null;
  return added.users + (await countActiveUsers(database, lastDay - days + 1, lastDay - 1));
}
