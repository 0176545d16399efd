/** Reads, releases and deletes submissions. */
import type { DatabaseDeps, Reader, Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { getForm } from '../definitions/definition.ts';
import { listFormsWithRetention } from '../queries.ts';
import * as queries from './queries.ts';

interface SubmissionPath {
  readonly id: string;
  readonly submission_id: string;
}

/** @throws Problem form_not_found, submission_not_found */
export async function getSubmission(reader: Reader, path: SubmissionPath): Promise<queries.SubmissionRow> {
  const { id: formId } = await getForm(reader, path.id);
  const id = path.submission_id;
  const row = isId(id) ? await queries.findSubmission(reader, formId, id) : undefined;
  if (row === undefined) throw new Problem('submission_not_found');
  return row;
}

const CHANGES = { release: queries.releaseHeld, delete: queries.deleteSubmissionRow } as const;
const TYPES = { release: 'submission.released', delete: 'submission.deleted' } as const;

/**
 * Deletes a submission, or accepts one that looked like spam, also beyond the maximum of the form; returns it.
 * @throws Problem form_not_found, submission_not_found
 */
export function changeSubmission(
  { database, clock }: DatabaseDeps,
  path: SubmissionPath,
  change: keyof typeof CHANGES,
): Promise<queries.SubmissionRow> {
  return database.transaction(async (tx) => {
    const row = await getSubmission(tx, path);
    const { id, form_id } = row;
    const details = { form_id, submission_id: id };
    if (await CHANGES[change](tx, form_id, id)) {
      await queries.forgetAccepted(tx, form_id);
      await recordEvent(tx, { type: TYPES[change], subject: `form:${form_id}`, details, now: clock() });
    }
    return { ...row, held: 0 };
  });
}

/** Deletes submissions that are older than the form keeps them, at most `limit`; returns their number. */
export async function deleteExpiredSubmissions(tx: Tx, now: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const { id, retention_days: days } of await listFormsWithRetention(tx)) {
    if (deleted === limit) break;
    deleted += await queries.deleteSubmissions(tx, id, now - days * DAY, limit - deleted);
    await queries.forgetAccepted(tx, id);
  }
  return deleted;
}
