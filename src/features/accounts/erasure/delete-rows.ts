/** Deletes the rows that refer to users, in every feature that stores some. */
import type { Tx } from '../../../database/database.ts';
import { deleteResponsesOfUser } from '../../../idempotency/queries.ts';
import { deleteEventsOfUser, type EventBatch } from '../../events/queries.ts';
import { deleteSomeLinks } from '../../mail/links/queries.ts';
import { deleteMailOfUser } from '../../mail/queries.ts';
import { deleteUsers, lockAbandonedUsers } from '../../users/queries.ts';
import { forgetNetworksOfUser } from '../queries.ts';

/** Tables without a bound for one user. The foreign keys would delete any number of their rows in one statement. */
const DELETIONS = [deleteResponsesOfUser, forgetNetworksOfUser, deleteMailOfUser, deleteSomeLinks];

export interface DeletedRows {
  /** Their number, at most the limit of the batch. */
  readonly deleted: number;
  /** The id of the last deleted event. */
  readonly last: string;
}

/** Deletes rows that refer to a user, other than tokens and activity. */
export async function deleteRows(tx: Tx, batch: EventBatch): Promise<DeletedRows> {
  const { userId, limit } = batch;
  const events = await deleteEventsOfUser(tx, batch);
  let { deleted } = events;
  for (const deleteSome of DELETIONS) {
    if (deleted < limit) deleted += await deleteSome(tx, userId, limit - deleted);
  }
  return { deleted, last: events.last };
}

/** Users per transaction: each takes several statements. */
const MAX_ABANDONED = 50;

/**
 * Deletes records that anonymous callers created earlier than `before`, together with at most `limit` rows. Nobody can
 * log in to them, so they have neither tokens nor activity. Returns `limit` if there may be more to delete.
 */
export async function deleteAbandonedUsers(tx: Tx, before: number, limit: number): Promise<number> {
  const ids = await lockAbandonedUsers(tx, before, Math.min(limit, MAX_ABANDONED));
  let rows = 0;
  for (const id of ids) {
    rows += (await deleteRows(tx, { userId: id, after: '', limit: limit - rows })).deleted;
    if (rows >= limit) return limit;
  }
  const deleted = ids.length === 0 ? 0 : await deleteUsers(tx, ids);
  return deleted === MAX_ABANDONED ? limit : deleted;
}
