/** Figures of the administrator's dashboard, counted in the database. All days are UTC days. */
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

/** Figure of a period that ends today, compared to the preceding period of the same length. */
interface Period {
  readonly count: number;
  readonly previous: number;
  readonly change: number;
}

const CURVE_DAYS = 30;

/** Returns the member `data` of the dashboard. Each figure is read on its own, not in one snapshot. */
export async function dashboardFigures({ database, clock, activity }: DashboardDeps) {
  // The figures include the activity that this node has not written yet.
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
      today: period(signUps, today, 1),
      last_7_days: period(signUps, today, 7),
      last_30_days: period(signUps, today, CURVE_DAYS),
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

function period(counts: Counts, today: number, days: number): Period {
  const until = (last: number) => sum(range(last - days + 1, days).map((day) => counts.get(day) ?? 0));
  const count = until(today);
  const previous = until(today - days);
  return { count, previous, change: count - previous };
}

/** Returns one entry for each of the last 30 days, oldest first, including days with zero. */
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
