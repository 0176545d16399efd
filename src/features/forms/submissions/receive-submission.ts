/**
 * Receives a submission to a form: the answers are checked first, then the statement that inserts decides whether the
 * form accepts them.
 */
import type { Caller } from '../../../callers/callers.ts';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { getNetworkBucket, getNetworks } from '../../../lib/network.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { HOUR } from '../../../lib/time.ts';
import { credentialRequired } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { toPointer } from '../../../problems/validation-failed.ts';
import type { LimitStores } from '../../../rate-limits/limit-stores.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { lockUser } from '../../users/records/queries.ts';
import { checkAnswers } from '../answers/check-answers.ts';
import { type Definition, getForm, type PublishedForm } from '../definitions/definition.ts';
import { type FormRow, lockForm, startNoticeHour } from '../queries.ts';
import {
  countSubmissions,
  type HeldReason,
  hasSubmitted,
  holdsTooMany,
  insertSubmission,
  type NewSubmission,
  type SubmissionRow,
  takePlace,
} from './queries.ts';

/** Few enough that a page of an export takes little memory. */
export const MAX_SUBMISSION_BYTES = 262_144;

type CountedForm = Pick<FormRow, 'id' | 'max_per_minute'>;

export interface ReceiveDeps extends DatabaseDeps {
  /** Counts an anonymous submission to a form, and returns whether its network has sent too many. */
  readonly countSubmission: (form: CountedForm, clientIp: string) => boolean;
}

const DEFAULT_MAX_PER_MINUTE = 10;

/** Returns the function that counts a submission: on this node, which needs no durable write. */
export function createSubmissionCounter({ local }: Pick<LimitStores, 'local'>) {
  return ({ id, max_per_minute }: CountedForm, clientIp: string): boolean => {
    const limit = max_per_minute ?? DEFAULT_MAX_PER_MINUTE;
    const quota = { name: 'submission-held', limit, windowSeconds: 60 };
    const client = getNetworks(clientIp).map((network) => `${id} ${network}`);
    return !local.take(client, quota).allowed;
  };
}

interface GivenSubmission {
  readonly form: PublishedForm;
  readonly answers: ReadonlyMap<string, unknown>;
  readonly caller: Caller;
  readonly clientIp: string;
  /** Why the page that was sent looks like spam. */
  readonly suspicion?: HeldReason | null;
  /** Whether it comes from a page that a person had for a while: it does not count for its network. */
  readonly isKept?: boolean;
  /** Without one, a new id. */
  readonly id?: string;
}

/**
 * Checks a submission, and returns the function that stores it.
 * @throws Problem unauthorized, form_not_open, form_closed, validation_failed
 */
export async function prepareSubmission(deps: ReceiveDeps, given: GivenSubmission) {
  const { caller, clientIp, suspicion = null, isKept = false } = given;
  const { row: form, version, definition } = given.form;
  const userId = caller.kind === 'user' ? caller.userId : null;
  rejectIfClosed(form, userId, deps.clock());
  const answers = requireValid(definition.fields, given.answers);
  const isTooMany = caller.kind === 'anonymous' && !isKept && deps.countSubmission(form, clientIp);
  const held_reason = suspicion ?? (isTooMany ? 'too_many' : null);
  const held = Number(held_reason !== null);
  const submission = { form_id: form.id, version, held, held_reason, user_id: userId, answers };
  const network = held_reason !== null ? getNetworkBucket(clientIp) : null;
  return async (tx: Tx): Promise<SubmissionRow> => {
    const row = { id: given.id ?? newId(), received_at: deps.clock(), network, ...submission };
    // Sent together: of a submission that is rejected, the event is rolled back.
    await Promise.all([storeSubmission(tx, form, row), recordSubmission(tx, row)]);
    return row;
  };
}

/** Returns the answers as a JSON object. Labels such as `__proto__` are members like any other. */
function requireValid(fields: Definition['fields'], given: ReadonlyMap<string, unknown>): string {
  const { answers, errors } = checkAnswers(fields, given);
  if (errors.length === 0) return JSON.stringify(Object.fromEntries(answers));
  const details = errors.map(({ field, message }) => ({
    pointer: toPointer('answers', field),
    detail: message,
  }));
  throw new Problem('validation_failed', { text: 'Invalid answers', errors, details });
}

/** Nobody would review what is held beyond. */
const TOO_MANY = { text: 'Too many submissions: this one is not stored', retryAfterSeconds: 60 };

/** @throws Problem unauthorized (erased meanwhile), form_full, already_submitted, rate_limited_submission and others */
async function storeSubmission(tx: Tx, form: FormRow, row: NewSubmission): Promise<void> {
  const { form_id, user_id, received_at: now, held, network } = row;
  // Locks make the conditions exact: the statement that inserts sees what was committed before.
  if (user_id !== null && (await lockUser(tx, user_id)) === undefined) throw new Problem('unauthorized');
  if (network !== null) {
    await lockForm(tx, form_id);
    if (await holdsTooMany(tx, form_id, network)) throw new Problem('rate_limited_submission', TOO_MANY);
  }
  const hasPlace = form.max_submissions !== null && held === 0 && (await takePlace(tx, form_id));
  if (!(await insertSubmission(tx, { ...row, hasPlace: Number(hasPlace) }))) {
    const current = await getForm(tx, form_id);
    // A maximum that was set meanwhile.
    if (form.max_submissions === null && current.max_submissions !== null)
      return storeSubmission(tx, current, row);
    throw await findRefusal(tx, current, row);
  }
  if (held === 0) await announceSubmission(tx, form, now);
}

function recordSubmission(tx: Tx, { id, form_id, received_at: now, held }: SubmissionRow): Promise<void> {
  const details = { form_id, submission_id: id, held: held === 1 };
  const subject = `form:${form_id}`;
  return recordEvent(tx, { type: 'submission.received', subject, namesClient: false, details, now });
}

/** Returns why no row was inserted. */
async function findRefusal(tx: Tx, form: FormRow, { user_id, received_at }: SubmissionRow): Promise<Problem> {
  rejectIfClosed(form, user_id, received_at);
  const isRepeated = form.once === 1 && user_id !== null && (await hasSubmitted(tx, user_id, form.id));
  return new Problem(isRepeated ? 'already_submitted' : 'form_full');
}

/** Checks whether anybody can submit now. @throws Problem unauthorized, form_not_open, form_closed, form_full */
export async function rejectIfNotOpen({ database, clock }: DatabaseDeps, form: FormRow): Promise<void> {
  rejectIfClosed(form, null, clock());
  const { id, max_submissions: max } = form;
  if (max === null) return;
  const counted = await countSubmissions(database, id, max);
  if (counted!.accepted >= max) throw new Problem('form_full');
}

/** @throws Problem form_not_found, unauthorized, form_not_open, form_closed */
function rejectIfClosed(form: FormRow, userId: string | null, now: number): void {
  const { state, access, opens_at: opensAt, closes_at: closesAt } = form;
  if (state === 'draft') throw new Problem('form_not_found');
  if (access === 'token' && userId === null) throw credentialRequired('api');
  if (state === 'closed' || (closesAt !== null && closesAt <= now)) throw new Problem('form_closed');
  if (opensAt !== null && opensAt > now) throw new Problem('form_not_open');
}

/** Announces a submission by mail, without its answers, to the addresses that the form names. */
async function announceSubmission(
  tx: Tx,
  { id, title, notify }: Pick<FormRow, 'id' | 'title' | 'notify'>,
  now: number,
): Promise<void> {
  if (notify === null) return;
  const { addresses, every }: { addresses: string[]; every: string } = JSON.parse(notify);
  const delayMs = every === 'hour' ? HOUR : 0;
  if (delayMs > 0 && !(await startNoticeHour(tx, id, now, now + delayMs))) return;
  const data = { form: title, reason: every };
  const message = { kind: 'form_submissions', userId: null, isByAdministrator: true, data } as const;
  for (const email of addresses) await enqueueMail(tx, { ...message, email, delayMs, now });
}
