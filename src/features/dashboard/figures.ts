/** What the administrator's dashboard shows, counted in the database. All days are UTC days. */
import type { Database } from '../../database/database.ts';
import { type Clock, DAY, dayNumber, HOUR, MINUTE, timestamp } from '../../lib/clock.ts';
import { countActiveUsers, countActiveUsersByDay, countFailedLogins } from '../activity/queries.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';
import type { UserState } from '../users/queries.ts';
import { countLiveTokens, countSignUpsByDay, countUsersByState } from './queries.ts';

export interface DashboardDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly activity: ActivityRecorder;
}

/** A span that ends today, beside the span of the same length before it. */
interface Span {
  readonly count: number;
  readonly previous: number;
  readonly change: number;
}

const CURVE_DAYS = 30;

/** Gives the member `data` of the dashboard; each figure is the database's at the moment it is read. */
export async function dashboardFigures({ database, clock, activity }: DashboardDeps) {
  // What this node has in hand belongs to the figures that are about to be read.
  await activity.flush();
  const now = clock();
  const today = dayNumber(now);
  const signUps = await countsByDay(
    countSignUpsByDay(database, (today - 2 * CURVE_DAYS + 1) * DAY, (today + 1) * DAY),
  );
  const active = await countsByDay(countActiveUsersByDay(database, today - CURVE_DAYS + 1, today));
  const activeSince = (days: number) => countActiveUsers(database, today - days + 1, today);
  const byState: Record<UserState, number> = { unclaimed: 0, active: 0, disabled: 0 };
  for (const { state, users } of await countUsersByState(database)) byState[state] = users;
  return {
    users: { total: sum(Object.values(byState)), by_state: byState },
    new_users: {
      today: span(signUps, today, 1),
      last_7_days: span(signUps, today, 7),
      last_30_days: span(signUps, today, CURVE_DAYS),
    },
    active_users: {
      today: active.get(today) ?? 0,
      last_7_days: await activeSince(7),
      last_30_days: await activeSince(CURVE_DAYS),
    },
    sign_ups_by_day: curve(signUps, today),
    active_users_by_day: curve(active, today),
    live_tokens: await countLiveTokens(database, now),
    failed_logins_24h: await countFailedLogins(database, Math.floor((now - 24 * HOUR) / MINUTE)),
  };
}

type Counts = ReadonlyMap<number, number>;

async function countsByDay(rows: Promise<{ day: number; users: number }[]>): Promise<Counts> {
  return new Map((await rows).map(({ day, users }) => [day, users]));
}

function span(counts: Counts, today: number, days: number): Span {
  const until = (last: number) => sum(range(last - days + 1, days).map((day) => counts.get(day) ?? 0));
  const count = until(today);
  const previous = until(today - days);
  return { count, previous, change: count - previous };
}

/** Oldest first; a day without any is a day with zero. */
function curve(counts: Counts, today: number) {
  return range(today - CURVE_DAYS + 1, CURVE_DAYS).map((day) => ({
    date: timestamp(day * DAY).slice(0, 10),
    count: counts.get(day) ?? 0,
  }));
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
