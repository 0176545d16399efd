/**
 * The state of limits that several nodes share: one atomic statement each, on the clock of the database.
 * Asked on PostgreSQL only; a single process keeps the same figures in memory (memory-store.ts, guesses.ts).
 * Being one statement they need no transaction around them, which would cost two more ways to the server.
 */
import { type Database, type Reader, sql, type Tx } from '../../database/database.ts';

/** Epoch milliseconds by the clock of the database, at this moment and not at the transaction's begin. */
const NOW = `floor(extract(epoch from clock_timestamp()) * 1000)`;

/** Read once: the clock goes on between two readings in one statement. */
const MOMENT = `(select cast(${NOW} as bigint) as now) as moment`;

export interface LimitRow {
  readonly tat: number;
  /** The moment of this request. */
  readonly touched_at: number;
  readonly allowed: number;
}

/**
 * $2 the interval of one request and $3 the whole window, in milliseconds; $4 the parts of a millisecond that
 * the quota is reckoned in: rounded to them, as in gcra.ts, hundreds of additions do not drift.
 */
const OWED = '(rate_limits.tat - excluded.touched_at) * cast($4 as double precision)';
const DEBT = `least(greatest(round(${OWED}) / cast($4 as double precision), 0), cast($3 as double precision))`;
const FITS = `${DEBT} + cast($2 as double precision) <= cast($3 as double precision) + 0.0001`;
const TAKE = sql<LimitRow>(`
  insert into rate_limits (key, tat, touched_at, allowed)
  select $1, moment.now + cast($2 as double precision), moment.now, 1 from ${MOMENT}
  on conflict (key) do update set
    tat = excluded.touched_at + ${DEBT} + case when ${FITS} then cast($2 as double precision) else 0 end,
    touched_at = excluded.touched_at,
    allowed = case when ${FITS} then 1 else 0 end
  returning tat, touched_at, allowed`);

/** Takes one unit if there is one, and gives the state afterwards. */
export async function takeFromLimit(
  database: Database | Tx,
  key: string,
  intervalMs: number,
  windowMs: number,
  parts: number,
): Promise<LimitRow> {
  return (await database.get(TAKE, key, intervalMs, windowMs, parts))!;
}

const PEEK = sql<{ tat: number | null; now: number }>(`
  select (select tat from rate_limits where key = $1) as tat, cast(${NOW} as double precision) as now`);

/** The theoretical arrival time, null while none is kept, and the clock of the database, both in epoch milliseconds. */
export async function peekAtLimit(reader: Reader, key: string): Promise<{ tat: number | null; now: number }> {
  return (await reader.get(PEEK, key))!;
}

const DELETE_WHOLE = sql(`
  delete from rate_limits where key in (select key from rate_limits where tat < $1 limit $2)`);

/** Deletes limits whose quota was whole again before `before`. */
export function deleteWholeLimits(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_WHOLE, before, limit);
}

export interface FailedAttemptRow {
  /** The moment before which no attempt is admitted, in epoch milliseconds like the next. */
  readonly wait_until: number;
  readonly touched_at: number;
  readonly admitted: number;
}

/**
 * $2 limit, $3 and $4 the quiet after which failures are forgotten (below and from the limit), $5 the first
 * wait, $6 its growth, $7 the longest wait. The rule is `nextGuess` in guesses.ts, which the tests hold
 * against this statement.
 */
const FORGOTTEN = `excluded.touched_at - guess_limits.wait_until >=
  case when guess_limits.failures < cast($2 as bigint) then cast($3 as bigint) else cast($4 as bigint) end`;
const FAILURES = `case when ${FORGOTTEN} then 1 else guess_limits.failures + 1 end`;
const waitAfter = (failures: string) => `
  case when ${failures} < cast($2 as bigint) then 0
       else cast(least(cast($5 as double precision) * power(cast($6 as double precision),
         least(${failures} - cast($2 as bigint), 60)), cast($7 as double precision)) as bigint) end`;
const WAITING = `guess_limits.failures >= cast($2 as bigint) and excluded.touched_at < guess_limits.wait_until`;
const GUESS = sql<FailedAttemptRow>(`
  insert into guess_limits (key, failures, wait_until, touched_at, admitted)
  select $1, 1, moment.now + ${waitAfter('cast(1 as bigint)')}, moment.now, 1 from ${MOMENT}
  on conflict (key) do update set
    failures = case when ${WAITING} then guess_limits.failures else ${FAILURES} end,
    wait_until = case when ${WAITING} then guess_limits.wait_until
                      else excluded.touched_at + ${waitAfter(`(${FAILURES})`)} end,
    touched_at = excluded.touched_at,
    admitted = case when ${WAITING} then 0 else 1 end
  returning failures, wait_until, touched_at, admitted`);

/** All times in milliseconds. */
export interface FailedAttemptRule {
  /** The failure from which on there is a wait. */
  readonly limit: number;
  /** The quiet after which failures below the limit are forgotten. */
  readonly forgetAfterMs: number;
  /** The quiet for those from the limit on, counted from the end of the wait. */
  readonly forgetPenaltyAfterMs: number;
  readonly firstWaitMs: number;
  /** Multiplies the wait at every failure beyond the limit. */
  readonly growth: number;
  readonly maxWaitMs: number;
}

/** Counts an attempt, if it is admitted, on the clock of the database; gives the state afterwards. */
export async function recordAttempt(
  database: Database | Tx,
  key: string,
  rule: FailedAttemptRule,
): Promise<FailedAttemptRow> {
  const { limit, forgetAfterMs, forgetPenaltyAfterMs, firstWaitMs, growth, maxWaitMs } = rule;
  const values = [limit, forgetAfterMs, forgetPenaltyAfterMs, firstWaitMs, growth, maxWaitMs];
  return (await database.get(GUESS, key, ...values))!;
}

const FORGET = sql('delete from guess_limits where key = $1');

export async function clearFailedAttempts(tx: Tx, key: string): Promise<void> {
  await tx.run(FORGET, key);
}

const TAKE_BACK = sql(`
  update guess_limits set failures = failures - 1, wait_until = touched_at where key = $1 and failures > 0`);

/** The attempt has come to nothing, neither right nor wrong. */
export async function undoAttempt(tx: Tx, key: string): Promise<void> {
  await tx.run(TAKE_BACK, key);
}

const DELETE_OLD_GUESSES = sql(`
  delete from guess_limits where key in (select key from guess_limits where touched_at < $1 limit $2)`);

export function deleteOldFailedAttempts(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_GUESSES, before, limit);
}
