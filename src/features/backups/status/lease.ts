/** Lets one node at a time make backups. */
import type { Database } from '../../../database/database.ts';
import { deleteSetting, lockSetting, readSetting, writeSetting } from '../../../database/settings.ts';
import { MINUTE } from '../../../lib/time/clock.ts';

/** The setting of the database that has the time at which the lease ends. */
export const LEASE_SETTING = 'backup_lease';

/** Longer than the minute after which the holder renews it. */
const LEASE_MS = 3 * MINUTE;

/** Takes the lease, and returns whether no other node has it. */
export function takeLease(database: Database, now: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockSetting(tx, LEASE_SETTING);
    // A lease in a database of one process was left by one that has ended.
    if (database.isShared && Number(await readSetting(tx, LEASE_SETTING)) > now) return false;
    await writeSetting(tx, LEASE_SETTING, String(now + LEASE_MS));
    return true;
  });
}

export async function renewLease(database: Database, now: number): Promise<void> {
  await database.transaction((tx) => writeSetting(tx, LEASE_SETTING, String(now + LEASE_MS)));
}

export async function releaseLease(database: Database): Promise<void> {
  await database.transaction((tx) => deleteSetting(tx, LEASE_SETTING));
}
