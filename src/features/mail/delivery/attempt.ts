/** One attempt to send a message: lease, compose, send, then delete the row or set the time of the next attempt. */
import type { Logger } from 'pino';
import type { Database, Tx } from '../../../database/database.ts';
import { type Clock, MINUTE } from '../../../lib/time/clock.ts';
import { dropJob, finishJob } from '../../jobs/lanes/finish-job.ts';
import { LEASE_MS } from '../../jobs/lease.ts';
import { leaseJob, releaseJob } from '../../jobs/queries.ts';
import { postponeJob } from '../../jobs/worker/postpone-job.ts';
import { countDropped } from '../dropped-mail.ts';
import { expireMessage, recordEnd } from '../messages/end-message.ts';
import type { MailRow } from '../queries.ts';
import { type DeliveryFailure, describeFailure, toLastError } from './failure.ts';
import type { MailMessage, MailTransport, PreparedMail, PrepareMail } from './message.ts';
import { retryDelay } from './retry-delay.ts';

const SEND_DEADLINE_MS = 2 * MINUTE;

export interface AttemptDeps {
  readonly database: Database;
  readonly clock: Clock;
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
    if (await leaseJob(tx, mail, now + LEASE_MS)) return prepared;
    await prepared.withdraw(tx);
    return null;
  });
}

async function dropMessage(
  tx: Tx,
  mail: MailRow,
  { isOverLimit, now }: { readonly isOverLimit: boolean; readonly now: number },
): Promise<void> {
  if (!(await dropJob(tx, mail, now))) return;
  if (isOverLimit) countDropped(tx);
  await recordEnd(tx, mail, { state: 'dropped', reason: isOverLimit ? 'limit' : 'not_needed', now });
}

/** Sets the next attempt of a message that could not be prepared because of a fault of this program. */
export async function postponeMail(deps: AttemptDeps, mail: MailRow, error: unknown): Promise<void> {
  deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
  await deps.database.transaction(async (tx) => {
    if (await leaseJob(tx, mail, deps.clock()))
      await postponeJob(tx, { ...deps, retryDelay }, { job: mail, lastError: NOT_COMPOSED });
  });
}

export interface SendResult {
  /** The message that was sent; null after a failure. */
  readonly sent: MailMessage | null;
  /** Whether the failure concerns all messages. */
  readonly concernsServer: boolean;
}

/** Sends a leased message. */
export async function sendMail(
  deps: AttemptDeps,
  { mail, prepared, stopping }: { mail: MailRow; prepared: PreparedMail; stopping: AbortSignal },
): Promise<SendResult> {
  let message: MailMessage;
  try {
    message = await prepared.compose();
  } catch (error) {
    deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
    await failAttempt(deps, { mail, prepared, failure: UNCOMPOSED, lastError: NOT_COMPOSED });
    return { sent: null, concernsServer: false };
  }
  try {
    await deps.transport.send(message, AbortSignal.any([stopping, AbortSignal.timeout(SEND_DEADLINE_MS)]));
  } catch (error) {
    const failure = describeFailure(error);
    const { reason, isPermanent, concernsServer } = failure;
    const outcome = isPermanent ? 'mail was rejected and is not sent again' : 'mail could not be sent';
    deps.logger.warn({ ...labels(mail), attempt: mail.attempts + 1, reason }, outcome);
    await failAttempt(deps, {
      mail,
      prepared,
      failure,
      lastError: toLastError(error),
      isStopping: stopping.aborted,
    });
    return { sent: null, concernsServer };
  }
  return { sent: message, concernsServer: false };
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
  { mail, prepared, failure, lastError, isStopping = false }: FailedAttempt,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    if (failure.isCertain) await prepared.withdraw(tx);
    if (failure.isPermanent) await rejectMessage(tx, { ...mail, last_error: lastError }, deps.clock());
    else if (isStopping) await releaseJob(tx, mail, { nextAttemptAt: deps.clock(), lastError });
    else await postponeJob(tx, { ...deps, retryDelay }, { job: mail, lastError });
  });
}

/** Ends a message that the mail server does not accept. */
async function rejectMessage(tx: Tx, mail: MailRow, now: number): Promise<void> {
  const attempts = mail.attempts + 1;
  await recordEnd(tx, { ...mail, attempts }, { state: 'failed', reason: 'rejected', now });
  await finishJob(tx, mail, now);
}

export interface SentMail {
  readonly mail: MailRow;
  readonly prepared: PreparedMail;
  readonly sent: MailMessage;
}

/** Records a message that was sent; its row is deleted in the same transaction. */
export async function recordSent(
  { clock, sealContent }: AttemptDeps,
  tx: Tx,
  { mail, prepared, sent }: SentMail,
): Promise<void> {
  const now = clock();
  const content = sealContent === null ? null : sealContent(sent);
  const attempts = mail.attempts + 1;
  const { kind, to: email } = sent;
  await recordEnd(tx, { ...mail, kind, email, attempts, last_error: null }, { state: 'sent', content, now });
  await prepared.recordSent(tx, now);
}

/** Identifies a message in the log without the address. */
function labels({ id, kind, user_id }: MailRow): object {
  return { mail_id: id, mail: kind, user_id };
}
