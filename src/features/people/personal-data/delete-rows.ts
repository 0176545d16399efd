/** Deletes the rows that refer to users, in every feature that stores some. */
import { getActionContext } from '../../../callers/action-context.ts';
import type { Reader, Tx } from '../../../database/database.ts';
import { deleteSetting, readSetting, readSettings, writeSetting } from '../../../database/settings.ts';
import { recordEvent } from '../../events/record-event.ts';
import {
  deleteCountsOfUser,
  deletePersonFromEvents,
  type ForgottenBatch,
} from '../../events/retention/delete-events.ts';
import { deleteUsers, lockAbandonedUsers, lockUser } from '../../users/records/queries.ts';
import { deleteRowsOfUser, moveSubmissions } from './queries.ts';

/** Deletes a batch of rows, other than tokens and activity, and of personal data in events. `last`: the last such event. */
export async function deleteRows(tx: Tx, batch: ForgottenBatch) {
  const { userId, limit } = batch;
  const events = await deletePersonFromEvents(tx, batch);
  const rows = await deleteRowsOfUser(tx, userId, limit - events.changed);
  return { deleted: events.changed + rows, last: events.last };
}

/** More than can be recorded within one transaction. */
const MAX_LATE_EVENTS = 1_000;
/** Users per transaction: each takes several statements. */
const MAX_ABANDONED = 50;

/**
 * Deletes records that anonymous callers created earlier than `before`, together with at most `limit` rows. Nobody can
 * log in to them, so they have neither tokens nor activity. Returns `limit` if there may be more to delete.
 */
export async function deleteAbandonedUsers(
  tx: Tx,
  { before, now }: { readonly before: number; readonly now: number },
  limit: number,
): Promise<number> {
  const users = await lockAbandonedUsers(tx, before, Math.min(limit, MAX_ABANDONED));
  const ids = users.map(({ id }) => id);
  let rows = 0;
  for (const id of ids) {
    rows += (await deleteRows(tx, { userId: id, after: '', limit: limit - rows })).deleted;
    if (rows >= limit) return limit;
  }
  const deleted = ids.length === 0 ? 0 : await deleteUsers(tx, ids);
  for (const userId of ids) await recordErasure(tx, { userId, after: '', now });
  return deleted === MAX_ABANDONED ? limit : deleted;
}

/** Records that a user was erased, as the last event of its subject. `after`: where the last batch of events began. */
export async function recordErasure(
  tx: Tx,
  { userId, after, now }: { readonly userId: string; readonly after: string; readonly now: number },
): Promise<void> {
  await deleteCountsOfUser(tx, userId, now);
  // Those of transactions for which the deletion of rows has waited.
  await deletePersonFromEvents(tx, { userId, after, limit: MAX_LATE_EVENTS });
  // The address of the erased person, or of the owner of their email, is not stored again, that of the administrator is.
  const namesClient = getActionContext().actor.type === 'administrator';
  await recordEvent(tx, { type: 'user.erased', userId, namesClient, now });
}

/** Erasures that have begun and take several transactions: another process completes them if this one ends. */
const ERASURE_PREFIX = 'erasure:';

/** `after`: the id of the last event of the user that has lost its personal data. */
export function writePendingErasure(tx: Tx, userId: string, after: string): Promise<number> {
  return writeSetting(tx, `${ERASURE_PREFIX}${userId}`, after);
}

/** Returns the id of the last event without personal data; empty if there is none. */
export async function readPendingErasure(tx: Tx, userId: string): Promise<string> {
  return (await readSetting(tx, `${ERASURE_PREFIX}${userId}`)) ?? '';
}

/** Whether the erasure of a user has begun, whose record is still there. */
export async function isErasurePending(tx: Tx, userId: string): Promise<boolean> {
  return (await readSetting(tx, `${ERASURE_PREFIX}${userId}`)) !== undefined;
}

export function removePendingErasure(tx: Tx, userId: string): Promise<number> {
  return deleteSetting(tx, `${ERASURE_PREFIX}${userId}`);
}

/** Returns the ids of the users. */
export async function listPendingErasures(reader: Reader): Promise<string[]> {
  return (await readSettings(reader, ERASURE_PREFIX)).map(({ name }) => name.slice(ERASURE_PREFIX.length));
}

/** Users who take over the submissions of one who is erased after a merge, in as many transactions as it takes. */
const HEIR_PREFIX = 'heir:';

export async function writeHeir(tx: Tx, userId: string, heirId: string): Promise<void> {
  // Submissions that are still on their way to this user go to the heir as well.
  for (const { name, value } of await readSettings(tx, HEIR_PREFIX))
    if (value === userId) await writeSetting(tx, name, heirId);
  await writeSetting(tx, `${HEIR_PREFIX}${userId}`, heirId);
}

export const removeHeir = (tx: Tx, userId: string) => deleteSetting(tx, `${HEIR_PREFIX}${userId}`);

/** Moves at most `limit` submissions to the heir, and returns their number: none if there is no heir, or none any more. */
export async function moveToHeir(tx: Tx, userId: string, limit: number): Promise<number> {
  const to = await readSetting(tx, `${HEIR_PREFIX}${userId}`);
  if (to === undefined) return 0;
  // Locked, because an erasure or another merge of the heir could miss what is moved meanwhile.
  if ((await lockUser(tx, to)) !== undefined) return moveSubmissions(tx, { from: userId, to, limit });
  const isReplaced = (await readSetting(tx, `${HEIR_PREFIX}${userId}`)) !== to;
  return isReplaced ? moveToHeir(tx, userId, limit) : 0;
}
