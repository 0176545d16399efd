/** Lets one node at a time make backups. */
import { randomInt } from 'node:crypto';
import type { Database } from '../../../database/database.ts';
import { deleteSetting, lockSetting, readSetting, writeSetting } from '../../../database/settings.ts';

/** The setting of the database that has the time at which the lease ends, with a fraction that is its holder's. */
const LEASE_SETTING = 'backup_lease';

/** A node that was killed keeps others from making backups for so long. */
const LEASE_MS = 15_000;
export const RENEWAL_MS = 5_000;

export type Lease = NonNullable<Awaited<ReturnType<typeof takeLease>>>;

/** Takes the lease; returns null if another node has it. */
export async function takeLease(database: Database, now: number) {
  let held = '';
  /** Writes the time (null deletes it) if the stored value permits it, and returns whether it does. */
  const replace = async (until: number | null, isPermitted: (stored: string) => boolean) => {
    const next = `${until}.${randomInt(10 ** 9)}`;
    const isReplaced = await database.transaction(async (tx) => {
      await lockSetting(tx, LEASE_SETTING);
      if (!isPermitted((await readSetting(tx, LEASE_SETTING))!)) return false;
      await (until === null ? deleteSetting(tx, LEASE_SETTING) : writeSetting(tx, LEASE_SETTING, next));
      return true;
    });
    if (isReplaced) held = next;
    return isReplaced;
  };
  const isHeld = (stored: string) => stored === held;
  // A lease in a database of one process was left by one that has ended.
  const isFree = (stored: string) => !database.isShared || !(Number(stored) > now);
  if (!(await replace(now + LEASE_MS, isFree))) return null;
  return {
    /** Returns whether no other node has taken the lease meanwhile. */
    renew: (time: number) => replace(time + LEASE_MS, isHeld),
    release: () => replace(null, isHeld),
  };
}
