/** Maintenance of the limits that are kept in the database; counting is `SharedLimits` (src/database). */
import { sql, type Tx } from '../database/database.ts';

const DELETE_WHOLE = sql(`
  delete from rate_limits where key in (
    select key from rate_limits where tat < $1 order by tat limit $2)`);

/** Deletes limits whose quota was whole again before `before`, at most `limit` of them. */
export function deleteWholeLimits(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_WHOLE, before, limit);
}

const FORGET = sql('delete from failed_attempts where key = $1');

/** Deletes the failed attempts of a key, after an attempt that succeeded. */
export async function deleteFailedAttempts(tx: Tx, key: string): Promise<void> {
  await tx.run(FORGET, key);
}

const UNDO = sql(`
  update failed_attempts set failures = failures - 1,
    wait_until = case when wait_until = cast($2 as bigint) then cast($3 as bigint) else wait_until end
  where key = $1`);
const DELETE_EMPTY = sql('delete from failed_attempts where key = $1 and failures < 1');

/**
 * Uncounts an attempt that was neither right nor wrong: the rule is `withoutAttempt` (failed-attempt-rule.ts).
 * `wait` has the ends of the waits after and before the attempt.
 */
export async function undoAttempt(
  tx: Tx,
  key: string,
  wait: { readonly waitUntil: number; readonly waitBefore: number },
): Promise<void> {
  // In this order: the update locks the row, so that of concurrent calls the last one deletes it.
  await tx.run(UNDO, key, wait.waitUntil, wait.waitBefore);
  await tx.run(DELETE_EMPTY, key);
}

const DELETE_OLD_ATTEMPTS = sql(`
  delete from failed_attempts where key in (
    select key from failed_attempts where touched_at < $1 order by touched_at limit $2)`);

/** Deletes failed attempts of keys without an attempt since `before`, at most `limit` of them. */
export function deleteOldFailedAttempts(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_ATTEMPTS, before, limit);
}
