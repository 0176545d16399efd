import type { Tx } from '../../database/database.ts';
import { prepareForRows, prepareRun, prepareValue } from '../../database/prepare.ts';
import type { LastUse } from './pending-activity.ts';

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
