/** Shared limits on PostgreSQL, each in one statement, by the rules of src/rate-limits: property tests compare them. */
import { type Database, sql } from '../database.ts';
import type { SharedLimits } from '../shared-limits.ts';

/** The time of the evaluation, not of the beginning of the transaction, in epoch milliseconds. */
const EPOCH_MS = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)';

export const READ_CLOCK = sql<{ now: number }>(`select ${EPOCH_MS} as now`);

/** Reads the clock once per evaluation; in `do update` after the row is locked. */
const MOMENT = `(select ${EPOCH_MS} as now) as moment`;

/** The current debt. $3 is the whole window in milliseconds, $4 the parts of a millisecond to round to. */
const ELAPSED_FROM = 'greatest(moment.now, rate_limits.touched_at)';
const OWED = `round((rate_limits.tat - ${ELAPSED_FROM}) * cast($4 as double precision))`;
const DEBT = `
  select moment.now, least(greatest(${OWED} / cast($4 as double precision), 0), cast($3 as double precision)) as debt
  from ${MOMENT}`;

/** $2 is the interval of one request. */
const TAKE = sql<Record<'tat' | 'touched_at' | 'allowed', number>>(`
  insert into rate_limits (key, tat, touched_at, allowed)
  select $1, moment.now + cast($2 as double precision), moment.now, 1 from ${MOMENT}
  on conflict (key) do update set (tat, touched_at, allowed) = (
    select now + debt + allowed * cast($2 as double precision), now, allowed
    from (
      select now, debt,
        case when debt + cast($2 as double precision) <= cast($3 as double precision) + 0.0001 then 1 else 0 end
          as allowed
      from (${DEBT}) as owed) as decided)
  returning tat, touched_at, allowed`);

const PEEK = sql<{ tat: number | null; touched_at: number | null; now: number }>(`
  select rate_limits.tat, rate_limits.touched_at, moment.now
  from ${MOMENT} left join rate_limits on rate_limits.key = $1`);

const FOLLOW_CLOCK = sql(`
  update rate_limits
  set tat = tat - (touched_at - cast($2 as double precision)), touched_at = cast($2 as double precision)
  where key = $1 and touched_at > cast($2 as double precision)`);

/** $2 is the limit, $5 the first wait, $6 its growth, $7 the maximum wait. */
const waitAfter = (failures: string) => `
  case when ${failures} < cast($2 as bigint) then 0
       else cast(least(cast($5 as double precision) * power(cast($6 as double precision),
         least(${failures} - cast($2 as bigint), 60)), cast($7 as double precision)) as bigint) end`;

/** $3 and $4 are the times after which failures are forgotten: below the limit, and from the limit on. */
const EVALUATED = `
  select now, failures, wait_until,
    failures >= cast($2 as bigint) and now < wait_until as waits,
    now - wait_until >= case when failures < cast($2 as bigint) then cast($3 as bigint) else cast($4 as bigint) end
      as forgotten
  from (
    select moment.now, failed_attempts.failures,
      failed_attempts.wait_until - greatest(failed_attempts.touched_at - moment.now, 0) as wait_until
    from ${MOMENT}) as known`;

/**
 * A subquery of `returning` reads the row before the statement, which a concurrent one may have changed, but not
 * its wait.
 */
const WAIT_BEFORE = `
  case when failures = 1 then touched_at
       else coalesce((
         select earlier.wait_until - greatest(earlier.touched_at - failed_attempts.touched_at, 0)
         from failed_attempts as earlier where earlier.key = failed_attempts.key), touched_at) end`;

const ATTEMPT = sql<Record<'wait_until' | 'wait_before' | 'touched_at' | 'admitted', number>>(`
  insert into failed_attempts (key, failures, wait_until, touched_at, admitted)
  select $1, 1, moment.now + ${waitAfter('cast(1 as bigint)')}, moment.now, 1 from ${MOMENT}
  on conflict (key) do update set (failures, wait_until, touched_at, admitted) = (
    select counted, case when waits then wait_until else now + ${waitAfter('counted')} end, now,
      case when waits then 0 else 1 end
    from (
      select now, wait_until, waits,
        case when waits then failures when forgotten then 1 else failures + 1 end as counted
      from (${EVALUATED}) as judged) as next)
  returning wait_until, touched_at, admitted, ${WAIT_BEFORE} as wait_before`);

const FIND_WAIT = sql<{ wait: number }>(`
  select coalesce(max(cast(greatest(wait_until - greatest(touched_at, moment.now), 0) as bigint)), 0) as wait
  from ${MOMENT}, failed_attempts where key >= $1 and key < $1 || '~' and failures >= cast($2 as bigint)`);

export function postgresLimits(database: Pick<Database, 'get'>): SharedLimits {
  return {
    async take(key, { intervalMs, windowMs, partsPerMs }) {
      const row = (await database.get(TAKE, key, intervalMs, windowMs, partsPerMs))!;
      return { tat: row.tat, now: row.touched_at, allowed: row.allowed === 1 };
    },
    async peek(key) {
      const { tat, touched_at, now } = (await database.get(PEEK, key))!;
      if (tat === null || touched_at === null || touched_at <= now) return { tat, now };
      // The clock was set back. Without this update, a peek would report a wait until the clock has caught up.
      await database.get(FOLLOW_CLOCK, key, now);
      return { tat: tat - (touched_at - now), now };
    },
    async findWait(prefix, limit) {
      return (await database.get(FIND_WAIT, prefix, limit))!.wait;
    },
    async attempt(key, { limit, forgetAfterMs, forgetPenaltyAfterMs, firstWaitMs, growth, maxWaitMs }) {
      const values = [limit, forgetAfterMs, forgetPenaltyAfterMs, firstWaitMs, growth, maxWaitMs];
      const row = (await database.get(ATTEMPT, key, ...values))!;
      const { admitted, wait_until: waitUntil, wait_before: waitBefore, touched_at: now } = row;
      return { admitted: admitted === 1, waitUntil, waitBefore, now };
    },
  };
}
