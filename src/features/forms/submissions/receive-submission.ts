/**
 * Receives a submission to a form: the answers are checked first, then the statement that inserts decides whether the
 * form accepts them.
 */
import type { Caller } from '../../../callers/callers.ts';
import type { Database, Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { credentialRequired } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockUser } from '../../users/records/queries.ts';
import { checkAnswers, serializeAnswers } from '../answers/check-answers.ts';
import type { Definition } from '../definitions/definition.ts';
import { parseDefinition } from '../form-rules.ts';
import { getForm } from '../get-form.ts';
import { type FormRow, findVersion, lockForm } from '../queries.ts';
import { hasSubmitted, insertSubmission, type SubmissionRow } from './queries.ts';

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Counts an anonymous submission to a form, and returns whether its network has sent too many. */
  readonly countSubmission: (formId: string, clientIp: string) => Promise<boolean>;
}

export interface GivenSubmission {
  readonly formId: string;
  /** Values by label. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly caller: Caller;
  readonly clientIp: string;
  /** Whether the page that was sent looks like spam. */
  readonly isSuspicious?: boolean;
}

/**
 * Checks a submission, and returns the function that stores it.
 * @throws Problem form_not_found, unauthorized, form_not_open, form_closed, validation_failed
 */
export async function prepareSubmission(deps: ReceiveDeps, given: GivenSubmission) {
  const { formId, caller, clientIp, isSuspicious = false } = given;
  const form = await getForm(deps.database, formId);
  const userId = caller.kind === 'user' ? caller.userId : null;
  rejectIfClosed(form, userId, deps.clock());
  // Published: it has such a version.
  const version = form.published_version!;
  const { fields } = parseDefinition((await findVersion(deps.database, formId, version))!);
  const answers = serializeAnswers(requireValid(fields, given.answers));
  const isHeld =
    (caller.kind === 'anonymous' && (await deps.countSubmission(formId, clientIp))) || isSuspicious;
  const submission = { form_id: formId, version, held: Number(isHeld), user_id: userId, answers };
  return (tx: Tx): Promise<SubmissionRow> => {
    const row = { id: newId(), received_at: deps.clock(), ...submission };
    return storeSubmission(tx, form, row);
  };
}

function requireValid(fields: Definition['fields'], given: ReadonlyMap<string, unknown>) {
  const { answers, errors } = checkAnswers(fields, given);
  if (errors.length === 0) return answers;
  const details = errors.map(({ field, message }) => ({
    pointer: `#/answers/${encodeURIComponent(field.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    detail: message,
  }));
  throw new Problem('validation_failed', { text: 'Invalid answers', errors, details });
}

/** @throws Problem unauthorized (erased meanwhile), form_full, already_submitted, and those of `rejectIfClosed` */
async function storeSubmission(tx: Tx, form: FormRow, row: SubmissionRow): Promise<SubmissionRow> {
  const { id, form_id, user_id, received_at: now, held } = row;
  // Locks make the conditions exact: the statement that inserts sees what was committed before.
  if (user_id !== null && (await lockUser(tx, user_id)) === undefined) throw new Problem('unauthorized');
  if (form.max_submissions !== null) await lockForm(tx, form_id);
  if (!(await insertSubmission(tx, row))) throw await findRefusal(tx, row);
  const details = { form_id, held: held === 1 };
  const subject = `submission:${id}`;
  await recordEvent(tx, { type: 'submission.received', subject, namesClient: false, details, now });
  return row;
}

/** Returns why no row was inserted. */
async function findRefusal(tx: Tx, { form_id, user_id, received_at }: SubmissionRow): Promise<Problem> {
  const form = await getForm(tx, form_id);
  rejectIfClosed(form, user_id, received_at);
  const isRepeated = form.once === 1 && user_id !== null && (await hasSubmitted(tx, user_id, form_id));
  return new Problem(isRepeated ? 'already_submitted' : 'form_full');
}

/** @throws Problem form_not_found, unauthorized, form_not_open, form_closed */
function rejectIfClosed(form: FormRow, userId: string | null, now: number): void {
  const { state, access, opens_at: opensAt, closes_at: closesAt } = form;
  if (state === 'draft') throw new Problem('form_not_found');
  if (access === 'token' && userId === null) throw credentialRequired('api');
  if (state === 'closed' || (closesAt !== null && closesAt <= now)) throw new Problem('form_closed');
  if (opensAt !== null && opensAt > now) throw new Problem('form_not_open');
}
