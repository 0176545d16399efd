/** Figures of the administrator's dashboard, from counters that each write keeps up to date. All days are UTC days. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseDeps } from '../../../database/database.ts';
import { cached } from '../../../lib/queues/shared-work.ts';
import { DAY, formatTimestamp, MINUTE, type MonotonicClock, toDayNumber } from '../../../lib/time.ts';
import { countSignUpsByDay, countUsersByState } from '../../users/records/user-counters.ts';
import { countActiveUsers, countActiveUsersByDay } from '../active-users/queries.ts';
import { countFailedLogins, countLiveTokens } from '../queries.ts';
import type { ActivityRecorder } from '../recorder.ts';
import { countSignIns } from '../sign-in-counts.ts';

export interface DashboardDeps extends DatabaseDeps {
  readonly monotonicClock: MonotonicClock;
  readonly activity: ActivityRecorder;
}

const CURVE_DAYS = 30;
const CACHE_MS = 2_000;
/** Milliseconds for which the figures wait for activity that this node has not written yet. */
const FLUSH_WAIT_MS = 25;

/** Creates the function that returns the member `data` of the dashboard: computed at most every two seconds. */
export function createDashboard(deps: DashboardDeps) {
  const { monotonicClock } = deps;
  return cached(() => computeFigures(deps), { lifetimeMs: CACHE_MS, monotonicClock });
}

/** Each figure is read on its own, not in one snapshot. */
async function computeFigures({ database, clock, activity }: DashboardDeps) {
  // More activity than can be written in this time is in later figures.
  await Promise.race([activity.flush(), delay(FLUSH_WAIT_MS)]);
  const now = clock();
  const today = toDayNumber(now);
  const dayBefore = Math.floor((now - DAY) / MINUTE);
  const signUps = await countSignUpsByDay(database, today - 2 * CURVE_DAYS, today);
  const active = await countActiveUsersByDay(database, today - CURVE_DAYS + 1, today);
  const activeUntil = (last: number, days: number) => countActiveUsers(database, last - days + 1, last);
  const byState = await countUsersByState(database);
  return {
    generated_at: formatTimestamp(now),
    users: { total: sum(Object.values(byState)), by_state: byState },
    new_users: await byPeriod(async (days) =>
      comparePeriods(sumDays(signUps, today, days), sumDays(signUps, today - days, days)),
    ),
    active_users: await byPeriod((days) => activeUntil(today, days)),
    previous_active_users: await byPeriod((days) => activeUntil(today - days, days)),
    sign_ups_by_day: curve(signUps, today),
    active_users_by_day: curve(active, today),
    sign_ins: await countSignIns(database, today - CURVE_DAYS + 1, today),
    live_tokens: await countLiveTokens(database, now),
    failed_logins_24h: await countFailedLogins(database, dayBefore, Number.MAX_SAFE_INTEGER),
    previous_failed_logins_24h: await countFailedLogins(database, dayBefore - DAY / MINUTE, dayBefore),
    whole_days: {
      new_users: await byWholeDays(async (last, days) => sumDays(signUps, last, days), today - 1),
      active_users: await byWholeDays(activeUntil, today - 1),
    },
  };
}

async function byPeriod<T>(count: (days: number) => Promise<T>) {
  return { today: await count(1), last_7_days: await count(7), last_30_days: await count(CURVE_DAYS) };
}

/** Returns the figures of periods that end with a day, each compared to the preceding period of the same length. */
async function byWholeDays(count: (last: number, days: number) => Promise<number>, last: number) {
  const compare = async (days: number) =>
    comparePeriods(await count(last, days), await count(last - days, days));
  return {
    yesterday: await compare(1),
    last_7_days: await compare(7),
    last_30_days: await compare(CURVE_DAYS),
  };
}

const comparePeriods = (count: number, previous: number) => ({ count, previous, change: count - previous });

type Counts = ReadonlyMap<number, number>;

function sumDays(counts: Counts, last: number, days: number): number {
  return sum(range(last - days + 1, days).map((day) => counts.get(day) ?? 0));
}

/** Returns the last 30 days, oldest first, including days with zero. */
function curve(counts: Counts, today: number) {
  return range(today - CURVE_DAYS + 1, CURVE_DAYS).map((day) => ({
    date: formatTimestamp(day * DAY).slice(0, 10),
    count: counts.get(day) ?? 0,
  }));
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
