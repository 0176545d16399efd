/** Erasures that have begun and take several transactions: another process completes them if this one ends. */
import type { Reader, Tx } from '../../../database/database.ts';
import { deleteSetting, readSetting, readSettings, writeSetting } from '../../../database/settings.ts';

const PREFIX = 'erasure:';

/** `after`: the id of the last event of the user that has lost its personal data. */
export function writePendingErasure(tx: Tx, userId: string, after: string): Promise<number> {
  return writeSetting(tx, `${PREFIX}${userId}`, after);
}

/** Returns the id of the last event without personal data; empty if there is none. */
export async function readPendingErasure(tx: Tx, userId: string): Promise<string> {
  return (await readSetting(tx, `${PREFIX}${userId}`)) ?? '';
}

/** Whether the erasure of a user has begun, whose record is still there. */
export async function isErasurePending(tx: Tx, userId: string): Promise<boolean> {
  return (await readSetting(tx, `${PREFIX}${userId}`)) !== undefined;
}

export function removePendingErasure(tx: Tx, userId: string): Promise<number> {
  return deleteSetting(tx, `${PREFIX}${userId}`);
}

/** Returns the ids of the users. */
export async function listPendingErasures(reader: Reader): Promise<string[]> {
  return (await readSettings(reader, PREFIX)).map(({ name }) => name.slice(PREFIX.length));
}
