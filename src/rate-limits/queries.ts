/** Maintenance of the limits that are kept in the database; counting is `SharedLimits` (src/database). */
import type { Tx } from '../database/database.ts';
import { prepareRun } from '../database/prepare.ts';

/** Deletes limits whose quota was whole again before `before`, at most `limit` of them. */
export const deleteWholeLimits = prepareRun<[before: number, limit: number]>(`
  delete from rate_limits where key in (
    select key from rate_limits where tat < $1 order by tat limit $2)`);

/** Deletes the failed attempts of a key, after an attempt that succeeded. */
export const deleteFailedAttempts = prepareRun<[key: string]>('delete from failed_attempts where key = $1');

/** Deletes the failed attempts of all keys that begin with `prefix`. */
export const deleteFailedAttemptsBelow = prepareRun<[prefix: string]>(
  "delete from failed_attempts where key >= $1 and key < $1 || '~'",
);

const subtractAttempt = prepareRun<[key: string, waitUntil: number, waitBefore: number]>(`
  update failed_attempts set failures = failures - 1,
    wait_until = case when wait_until = cast($2 as bigint) then cast($3 as bigint) else wait_until end
  where key = $1`);
const deleteEmpty = prepareRun<[key: string]>('delete from failed_attempts where key = $1 and failures < 1');

/** Uncounts an attempt as `subtractAttempt` does. `wait`: the ends of the waits after and before it. */
export async function undoAttempt(
  tx: Tx,
  key: string,
  wait: { readonly waitUntil: number; readonly waitBefore: number },
): Promise<void> {
  // In this order: the update locks the row, so that of concurrent calls the last one deletes it.
  await subtractAttempt(tx, key, wait.waitUntil, wait.waitBefore);
  await deleteEmpty(tx, key);
}

/** Deletes failed attempts of keys without an attempt since `before`, at most `limit` of them. */
export const deleteOldFailedAttempts = prepareRun<[before: number, limit: number]>(`
  delete from failed_attempts where key in (
    select key from failed_attempts where touched_at < $1 order by touched_at limit $2)`);
