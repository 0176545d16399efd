import { type Reader, sql, type Tx } from '../../database/database.ts';
import { sqlForRows } from '../../database/rows.ts';
import type { LastUse } from './pending-activity.ts';

/** With the inner join, SQLite finds each token by its key; a plain `from given` makes it read all tokens. */
const TOUCH_TOKENS = sqlForRows(
  { columns: { hash: 'text', used_at: 'bigint', network: 'text' } },
  (given) => `
    with ${given}
    update tokens set last_used_at = found.used_at, last_used_network = found.network
    from (
      select tokens.hash, given.used_at, given.network from given cross join tokens where tokens.hash = given.hash) as found
    where tokens.hash = found.hash and (tokens.last_used_at is null or tokens.last_used_at < found.used_at)`,
);

/** Sets the last use of at most 500 tokens, each with its time and network, unless a later one is stored. */
export async function touchTokens(tx: Tx, uses: readonly (readonly [string, LastUse])[]): Promise<void> {
  const rows = uses.map(([hash, { at, network }]) => [hash, at, network] as const);
  const { statement, values } = TOUCH_TOKENS([], rows);
  await tx.run(statement, ...values);
}

const TOUCH_CREDENTIALS = sqlForRows(
  { columns: { id: 'text', used_at: 'bigint' } },
  (given) => `
    with ${given}
    update credentials set last_used_at = found.used_at
    from (
      select credentials.id, given.used_at from given cross join credentials where credentials.id = given.id) as found
    where credentials.id = found.id
      and (credentials.last_used_at is null or credentials.last_used_at < found.used_at)`,
);

/** Sets the last use of at most 500 credentials, each with its time, unless a later one is stored. */
export async function touchCredentials(tx: Tx, uses: readonly (readonly [string, number])[]): Promise<void> {
  const { statement, values } = TOUCH_CREDENTIALS([], uses);
  await tx.run(statement, ...values);
}

const ADD_FAILED_LOGINS = sqlForRows(
  { columns: { minute: 'bigint', failures: 'bigint' } },
  (given) => `
    with ${given}
    insert into failed_logins (minute, failures) select minute, failures from given where true
    on conflict (minute) do update set failures = failed_logins.failures + excluded.failures`,
);

/** Adds failed logins to at most 500 minutes, in their order. */
export async function addFailedLogins(
  tx: Tx,
  failures: readonly (readonly [number, number])[],
): Promise<void> {
  const { statement, values } = ADD_FAILED_LOGINS([], failures);
  await tx.run(statement, ...values);
}

const COUNT_FAILED_LOGINS = sql<{ failures: number | null }>(
  'select cast(sum(failures) as bigint) as failures from failed_logins where minute > $1 and minute <= $2',
);

/** Counts the failed logins of the minutes (since the epoch) after `since`, until `to` included. */
export async function countFailedLogins(
  reader: Reader,
  since: number,
  to = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return (await reader.get(COUNT_FAILED_LOGINS, since, to))?.failures ?? 0;
}

const DELETE_OLD_FAILURES = sql(`
  delete from failed_logins where minute in (
    select minute from failed_logins where minute < $1 order by minute limit $2)`);

/** Deletes the failed logins of minutes before `minute`. Returns the number of rows. */
export function deleteOldFailures(tx: Tx, minute: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_FAILURES, minute, limit);
}
