/** One attempt to send a message: lease, compose, send, then delete the row or set the time of the next attempt. */
import type { Logger } from 'pino';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { type AttemptResult, MAX_LEASE_MS } from '../../jobs/job-worker.ts';
import { dropJob, finishJob, leaseJob, releaseJob } from '../../jobs/queries.ts';
import { countDropped, expireMessage, recordEnd } from '../messages/end-message.ts';
import type { MailRow } from '../queries.ts';
import { describeFailure, retryDelay, toLastError } from './failure.ts';
import type { MailMessage, MailTransport, PreparedMail, PrepareMail } from './message.ts';

const SEND_DEADLINE_MS = 2 * MINUTE;
/** While the server cannot be used, only a few messages per pause use up an attempt. */
const SERVER_PAUSE_MS = 10_000;
/** The error of messages that meet a fault of this program, which the log describes. */
const NOT_COMPOSED = 'cannot be composed';

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
  deps.logger.error({ ...labels(mail), err: error }, `mail ${NOT_COMPOSED}`);
  await deps.database.transaction(async (tx) => {
    if (await leaseJob(tx, mail, deps.clock())) await postpone(deps, tx, { mail, lastError: NOT_COMPOSED });
  });
}

async function postpone(
  { clock, random }: AttemptDeps,
  tx: Tx,
  { mail, lastError }: { readonly mail: MailRow; readonly lastError: string },
): Promise<void> {
  const nextAttemptAt = clock() + retryDelay(mail.attempts + 1, random());
  await releaseJob(tx, mail, { nextAttemptAt, lastError });
}

/** A message whose attempt has begun. */
interface LeasedMail {
  readonly mail: MailRow;
  readonly prepared: PreparedMail;
  readonly stopping: AbortSignal;
}

/** Sends a leased message. */
export async function sendMail(deps: AttemptDeps, leased: LeasedMail): Promise<AttemptResult> {
  const { mail, prepared, stopping } = leased;
  let message: MailMessage;
  try {
    message = await prepared.compose();
  } catch (error) {
    deps.logger.error({ ...labels(mail), err: error }, `mail ${NOT_COMPOSED}`);
    return {
      outcome: 'failed',
      async store(tx) {
        await prepared.withdraw(tx);
        await postpone(deps, tx, { mail, lastError: NOT_COMPOSED });
      },
    };
  }
  try {
    await deps.transport.send(message, AbortSignal.any([stopping, AbortSignal.timeout(SEND_DEADLINE_MS)]));
  } catch (error) {
    return failAttempt(deps, leased, error);
  }
  return { outcome: 'succeeded', store: (tx) => recordSent(deps, tx, { mail, prepared, sent: message }) };
}

function failAttempt(deps: AttemptDeps, leased: LeasedMail, error: unknown): AttemptResult {
  const { mail, prepared, stopping } = leased;
  const { reason, isPermanent, isCertain, concernsServer } = describeFailure(error);
  const lastError = toLastError(error);
  const attempts = mail.attempts + 1;
  const outcome = isPermanent ? 'mail was rejected and is not sent again' : 'mail could not be sent';
  deps.logger.warn({ ...labels(mail), attempt: attempts, reason }, outcome);
  const isStopping = stopping.aborted;
  return {
    outcome: isPermanent ? 'rejected' : 'failed',
    ...(concernsServer && { pauseMs: SERVER_PAUSE_MS }),
    async store(tx) {
      const now = deps.clock();
      if (isCertain) await prepared.withdraw(tx);
      if (isPermanent) {
        const ended = { ...mail, attempts, last_error: lastError };
        await recordEnd(tx, ended, { state: 'failed', reason: 'rejected', now });
        await finishJob(tx, mail);
      } else if (isStopping) await releaseJob(tx, mail, { nextAttemptAt: now, lastError });
      else await postpone(deps, tx, { mail, lastError });
    },
  };
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
const labels = ({ id, kind, user_id }: MailRow): object => ({ mail_id: id, mail: kind, user_id });
