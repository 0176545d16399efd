/** Maintenance of the limits in the database; requests are counted by `SharedLimits` (src/database). */
import { sql, type Tx } from '../../database/database.ts';

const DELETE_RESTORED = sql(`
  delete from rate_limits where key in (select key from rate_limits where tat < $1 limit $2)`);

/** Deletes limits whose quota was fully restored before `before`, at most `limit` of them. */
export function deleteWholeLimits(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_RESTORED, before, limit);
}

const DELETE_ATTEMPTS = sql('delete from guess_limits where key = $1');

/** Deletes the failed attempts of a key, after an attempt that succeeded. */
export async function deleteFailedAttempts(tx: Tx, key: string): Promise<void> {
  await tx.run(DELETE_ATTEMPTS, key);
}

const UNDO = sql(`
  update guess_limits set failures = failures - 1, wait_until = touched_at where key = $1 and failures > 0`);

/** Uncounts an attempt whose password was not checked. */
export async function undoAttempt(tx: Tx, key: string): Promise<void> {
  await tx.run(UNDO, key);
}

const DELETE_OLD_ATTEMPTS = sql(`
  delete from guess_limits where key in (select key from guess_limits where touched_at < $1 limit $2)`);

/** Deletes failed attempts of keys without an attempt since `before`, at most `limit` of them. */
export function deleteOldFailedAttempts(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_ATTEMPTS, before, limit);
}
