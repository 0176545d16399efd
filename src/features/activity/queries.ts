import { selectCounterDifferences } from '../../database/counters.ts';
import type { Reader, Statement, Tx } from '../../database/database.ts';
import type { CounterChange } from '../../database/late-writes.ts';
import { prepareAll, prepareForRows, prepareRun, prepareValue } from '../../database/prepare.ts';
import { HOUR, toHourNumber } from '../../lib/time.ts';

export interface LastUse {
  /** Epoch milliseconds. */
  readonly at: number;
  /** As it is stored; null for none. */
  readonly network: string | null;
}

/** With the inner join, SQLite finds each token by its key; a plain `from given` makes it read all tokens. */
const TOUCH_TOKENS = prepareForRows(
  { hash: 'text', used_at: 'bigint', network: 'text' },
  `update tokens set last_used_at = found.used_at, last_used_network = found.network
    from (
      select tokens.hash, given.used_at, given.network from given cross join tokens where tokens.hash = given.hash) as found
    where tokens.hash = found.hash and (tokens.last_used_at is null or tokens.last_used_at < found.used_at)`,
);

/** Sets the last use of at most 500 tokens, each with its time and network, unless a later one is stored. */
export function updateLastUseOfTokens(tx: Tx, uses: readonly (readonly [string, LastUse])[]) {
  const rows = uses.map(([hash, { at, network }]) => [hash, at, network]);
  return TOUCH_TOKENS.run(tx, rows);
}

/** Sets the last use of at most 500 credentials, each with its time, unless a later one is stored. */
export const { run: touchCredentials } = prepareForRows(
  { id: 'text', used_at: 'bigint' },
  `update credentials set last_used_at = found.used_at
    from (
      select credentials.id, given.used_at from given cross join credentials where credentials.id = given.id) as found
    where credentials.id = found.id
      and (credentials.last_used_at is null or credentials.last_used_at < found.used_at)`,
);

/** Adds failed logins to at most 500 minutes, in their order. */
export const { run: addFailedLogins } = prepareForRows(
  { minute: 'bigint', failures: 'bigint' },
  `insert into failed_logins (minute, failures) select minute, failures from given where true
    on conflict (minute) do update set failures = failed_logins.failures + excluded.failures`,
);

/** Counts the failed logins of the minutes (since the epoch) after `since`, until `to` included. */
export const countFailedLogins = prepareValue<number, [since: number, to: number]>(`
  select cast(coalesce(sum(failures), 0) as bigint) as failures from failed_logins
  where minute > $1 and minute <= $2`);

/** Deletes the failed logins of minutes before `minute`. Returns the number of rows. */
export const deleteOldFailures = prepareRun<[minute: number, limit: number]>(`
  delete from failed_logins where minute in (
    select minute from failed_logins where minute < $1 order by minute limit $2)`);

interface Span {
  /** Epoch milliseconds, included. */
  readonly from: number;
  /** Epoch milliseconds, not included. */
  readonly to: number;
  readonly limit: number;
}

/** Returns the normalized emails of the newest users of a span. */
export const readNewEmails = prepareAll<{ email: string | null }, Span>(`
  select email_key as email from users
  where created_at >= $from and created_at < $to order by created_at desc, id desc limit $limit`);

/** Returns times and salted networks of the newest creations of users among these numbers of events. */
export const readCreations = prepareAll<
  { created_at: number; network: string | null },
  { type: 'user.created'; low: number; high: number; limit: number }
>(`
  select created_at, network from events
  where (type, number) > ($type, $low) and (type, number) <= ($type, $high) and number is not null
  order by type desc, number desc limit $limit`);

const countTokens = prepareValue<number, [now: number, hour: number, nextHour: number]>(`
  select cast((select coalesce(sum(value), 0) from counters where name = 'tokens' and period > $2)
    + (select count(*) from tokens where expires_at > $1 and expires_at < $3) as bigint) as tokens`);

/**
 * Counts the tokens that have not expired: those that expire in later hours by their counters, those of the current
 * hour one by one, both in one snapshot.
 */
export function countLiveTokens(reader: Reader, now: number): Promise<number> {
  const hour = toHourNumber(now);
  return countTokens(reader, now, hour, (hour + 1) * HOUR);
}

/** The differences between each group of counters and the counted rows, by the name of the group. */
export const DIFFERENCES: Readonly<Record<string, Statement<CounterChange>>> = {
  'users by state': selectCounterDifferences(
    "select 'users:' || state as name, 0 as period, count(*) as value from users group by state",
    "name in ('users:unclaimed', 'users:active', 'users:disabled')",
  ),
  'unclaimed records': selectCounterDifferences(
    `select 'unclaimed_users' as name, 0 as period, count(*) as value from users
     where state = 'unclaimed' and owns_email = 0`,
    "name = 'unclaimed_users'",
  ),
  'sign-ups by day': selectCounterDifferences(
    `select 'sign_ups' as name, created_at / 86400000 as period, count(*) as value from users
     group by created_at / 86400000`,
    "name = 'sign_ups'",
  ),
  'tokens by hour of expiry': selectCounterDifferences(
    `select 'tokens' as name, expires_at / 3600000 as period, count(*) as value from tokens
     group by expires_at / 3600000`,
    "name = 'tokens'",
  ),
};
