/** Deletes a form at once for its readers, then its submissions in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '../../database/database.ts';
import { recordEvent } from '../events/record-event.ts';
import { type ChangeFormDeps, type FormChange, lockExpected } from './change-form.ts';
import { formSubject } from './form-rules.ts';
import { deleteFormRow, lockDeletedForm, markDeleted } from './queries.ts';
import { deleteSubmissions } from './submissions/queries.ts';

const BATCH_SIZE = 500;

/**
 * The submissions are deleted in the background. The housekeeping deletes what an interruption leaves.
 * @throws Problem form_not_found, precondition_failed
 */
export async function deleteForm({ database, clock }: ChangeFormDeps, change: FormChange): Promise<void> {
  await database.transaction(async (tx) => {
    const { id } = await lockExpected(tx, change);
    await markDeleted(tx, id);
    await recordEvent(tx, { type: 'form.deleted', subject: formSubject(id), now: clock() });
  });
  const deleteBatch = () => database.transaction((tx) => deleteNextRows(tx, 0, BATCH_SIZE));
  const deleteAll = async () => {
    while ((await deleteBatch()) === BATCH_SIZE) await nextTurn();
  };
  deleteAll().catch(() => {});
}

/** Deletes rows of deleted forms, at most `limit`; returns `limit` if there may be more. */
export async function deleteNextRows(tx: Tx, _now: number, limit: number): Promise<number> {
  const form = await lockDeletedForm(tx);
  if (form === undefined) return 0;
  if ((await deleteSubmissions(tx, form.id, { limit })) < limit) await deleteFormRow(tx, form.id);
  return limit;
}
