/** One attempt to send a message: lease, compose, send, then delete the row or set the time of the next attempt. */
import type { Logger } from 'pino';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { dropJob, finishJob, leaseJob, releaseJob } from '../../jobs/queries.ts';
import { MAX_LEASE_MS } from '../../jobs/schedule/correct-schedule.ts';
import type { AttemptResult } from '../../jobs/worker/job-worker.ts';
import { countDropped, expireMessage, recordEnd } from '../messages/end-message.ts';
import type { MailRow } from '../queries.ts';
import { type DeliveryFailure, describeFailure, toLastError } from './failure.ts';
import type { MailMessage, MailTransport, PreparedMail, PrepareMail } from './message.ts';
import { retryDelay } from './retry-delay.ts';

const SEND_DEADLINE_MS = 2 * MINUTE;
/** While the server cannot be used, only a few messages per pause use up an attempt. */
const SERVER_PAUSE_MS = 10_000;

export interface AttemptDeps extends DatabaseDeps {
  readonly logger: Logger;
  readonly prepare: PrepareMail;
  readonly transport: MailTransport;
  readonly random: () => number;
  /** Encrypts the text of a message that was sent; null to keep none. */
  readonly sealContent: ((message: MailMessage) => Uint8Array) | null;
}

/** Leases the message. Returns null when it is not to be sent: by this node, or at all. */
export async function beginAttempt(deps: AttemptDeps, mail: MailRow): Promise<PreparedMail | null> {
  const now = deps.clock();
  if (mail.expires_at <= now) {
    deps.logger.warn(labels(mail), 'mail has expired before it could be sent');
    await deps.database.transaction((tx) => expireMessage(tx, mail, now));
    return null;
  }
  return deps.database.transaction(async (tx) => {
    // The user is locked before the message, as by use cases that change a user and delete messages to them.
    const prepared = await deps.prepare(tx, mail, now);
    if (prepared === null || prepared === 'over_limit') {
      await dropMessage(tx, mail, { isOverLimit: prepared === 'over_limit', now });
      return null;
    }
    if (await leaseJob(tx, mail, now + MAX_LEASE_MS)) return prepared;
    await prepared.withdraw(tx);
    return null;
  });
}

async function dropMessage(
  tx: Tx,
  mail: MailRow,
  { isOverLimit, now }: { readonly isOverLimit: boolean; readonly now: number },
): Promise<void> {
  if (!(await dropJob(tx, mail))) return;
  if (isOverLimit) countDropped(tx);
  await recordEnd(tx, mail, { state: 'dropped', reason: isOverLimit ? 'limit' : 'not_needed', now });
}

/** Sets the next attempt of a message that could not be prepared because of a fault of this program. */
export async function postponeMail(deps: AttemptDeps, mail: MailRow, error: unknown): Promise<void> {
  deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
  await deps.database.transaction(async (tx) => {
    if (await leaseJob(tx, mail, deps.clock())) await postpone(deps, tx, { mail, lastError: NOT_COMPOSED });
  });
}

async function postpone(
  { clock, random }: AttemptDeps,
  tx: Tx,
  { mail, lastError }: Pick<FailedAttempt, 'mail' | 'lastError'>,
): Promise<void> {
  const nextAttemptAt = clock() + retryDelay(mail.attempts + 1, random());
  await releaseJob(tx, mail, { nextAttemptAt, lastError });
}

/** Sends a leased message. */
export async function sendMail(
  deps: AttemptDeps,
  { mail, prepared, stopping }: { mail: MailRow; prepared: PreparedMail; stopping: AbortSignal },
): Promise<AttemptResult> {
  let message: MailMessage;
  try {
    message = await prepared.compose();
  } catch (error) {
    deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
    const failed = { mail, prepared, failure: UNCOMPOSED, lastError: NOT_COMPOSED };
    return { store: (tx) => failAttempt(deps, tx, failed) };
  }
  try {
    await deps.transport.send(message, AbortSignal.any([stopping, AbortSignal.timeout(SEND_DEADLINE_MS)]));
  } catch (error) {
    const failure = describeFailure(error);
    const { reason, isPermanent, concernsServer } = failure;
    const outcome = isPermanent ? 'mail was rejected and is not sent again' : 'mail could not be sent';
    deps.logger.warn({ ...labels(mail), attempt: mail.attempts + 1, reason }, outcome);
    const lastError = toLastError(error);
    const failed = { mail, prepared, failure, lastError, isStopping: stopping.aborted };
    const pause = concernsServer ? { pauseMs: SERVER_PAUSE_MS } : {};
    return { store: (tx) => failAttempt(deps, tx, failed), ...pause };
  }
  return { store: (tx) => recordSent(deps, tx, { mail, prepared, sent: message }) };
}

/** The last error of messages that meet a fault of this program, which the log describes. */
const NOT_COMPOSED = 'cannot be composed';

const UNCOMPOSED: DeliveryFailure = {
  reason: '',
  isPermanent: false,
  concernsServer: false,
  isCertain: true,
};

interface FailedAttempt {
  readonly mail: MailRow;
  readonly prepared: PreparedMail;
  readonly failure: DeliveryFailure;
  readonly lastError: string;
  readonly isStopping?: boolean;
}

async function failAttempt(
  deps: AttemptDeps,
  tx: Tx,
  { mail, prepared, failure, lastError, isStopping = false }: FailedAttempt,
): Promise<void> {
  if (failure.isCertain) await prepared.withdraw(tx);
  if (failure.isPermanent) await rejectMessage(tx, { ...mail, last_error: lastError }, deps.clock());
  else if (isStopping) await releaseJob(tx, mail, { nextAttemptAt: deps.clock(), lastError });
  else await postpone(deps, tx, { mail, lastError });
}

/** Ends a message that the mail server does not accept. */
async function rejectMessage(tx: Tx, mail: MailRow, now: number): Promise<void> {
  const attempts = mail.attempts + 1;
  await recordEnd(tx, { ...mail, attempts }, { state: 'failed', reason: 'rejected', now });
  await finishJob(tx, mail);
}

/** Records a message that was sent, and deletes its row. */
async function recordSent(
  { clock, sealContent }: AttemptDeps,
  tx: Tx,
  { mail, prepared, sent }: { mail: MailRow; prepared: PreparedMail; sent: MailMessage },
): Promise<void> {
  const now = clock();
  const content = sealContent === null ? null : sealContent(sent);
  const attempts = mail.attempts + 1;
  const { kind, to: email } = sent;
  await recordEnd(tx, { ...mail, kind, email, attempts, last_error: null }, { state: 'sent', content, now });
  await prepared.recordSent(tx, now);
  await finishJob(tx, mail);
}

/** Identifies a message in the log without the address. */
function labels({ id, kind, user_id }: MailRow): object {
  return { mail_id: id, mail: kind, user_id };
}
