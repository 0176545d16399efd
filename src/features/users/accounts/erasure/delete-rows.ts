/** Deletes the rows that refer to users, in every feature that stores some. */
import { getActionContext } from '../../../../callers/action-context.ts';
import type { Tx } from '../../../../database/database.ts';
import { recordEvent } from '../../../events/record-event.ts';
import {
  deleteCountsOfUser,
  deletePersonFromEvents,
  type ForgottenBatch,
} from '../../../events/retention/delete-events.ts';
import { deleteUsers, lockAbandonedUsers } from '../../records/queries.ts';
import { deleteRowsOfUser } from '../user-tables/queries.ts';

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
