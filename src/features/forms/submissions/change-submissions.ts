/** Releases and deletes submissions. */
import type { Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { getForm } from '../get-form.ts';
import { listFormsWithRetention } from '../queries.ts';
import {
  deleteSubmissionRow,
  deleteSubmissions,
  findSubmission,
  releaseSubmissionRow,
  type SubmissionRow,
} from './queries.ts';

export interface SubmissionChange {
  readonly formId: string;
  readonly id: string;
  readonly now: number;
}

/** Accepts a submission that looked like spam, also beyond the maximum. @throws Problem form_not_found, submission_not_found */
export async function releaseSubmission(tx: Tx, change: SubmissionChange): Promise<SubmissionRow> {
  const { formId, id, now } = change;
  await getForm(tx, formId);
  const released = await releaseSubmissionRow(tx, formId, parseSubmissionId(id));
  if (released === undefined) return requireSubmission(await findSubmission(tx, formId, id));
  await record(tx, 'submission.released', { formId, id, now });
  return released;
}

/** @throws Problem form_not_found, submission_not_found */
export async function deleteSubmission(tx: Tx, { formId, id, now }: SubmissionChange): Promise<void> {
  await getForm(tx, formId);
  if (!(await deleteSubmissionRow(tx, formId, parseSubmissionId(id))))
    throw new Problem('submission_not_found');
  await record(tx, 'submission.deleted', { formId, id, now });
}

function record(
  tx: Tx,
  type: 'submission.released' | 'submission.deleted',
  { formId, id, now }: SubmissionChange,
): Promise<void> {
  return recordEvent(tx, { type, subject: `submission:${id}`, details: { form_id: formId }, now });
}

/** @throws Problem submission_not_found for a text that cannot be an id */
export function parseSubmissionId(id: string): string {
  if (!isId(id)) throw new Problem('submission_not_found');
  return id;
}

/** @throws Problem submission_not_found */
export function requireSubmission(row: SubmissionRow | undefined): SubmissionRow {
  if (row === undefined) throw new Problem('submission_not_found');
  return row;
}

/** Deletes submissions that are older than the form keeps them, at most `limit`; returns their number. */
export async function deleteExpiredSubmissions(tx: Tx, now: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const { id, retention_days: days } of await listFormsWithRetention(tx)) {
    if (deleted < limit)
      deleted += await deleteSubmissions(tx, id, { before: now - days * DAY, limit: limit - deleted });
  }
  return deleted;
}
