/** One attempt to send a message: lease, compose, send, then delete the row or set the time of the next attempt. */
import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import { type Clock, MINUTE } from '../../../lib/time/clock.ts';
import { dropJob, finishJob } from '../../jobs/lanes/finish-job.ts';
import { LEASE_MS } from '../../jobs/lease.ts';
import { leaseJob, releaseJob } from '../../jobs/queries.ts';
import { postponeJob } from '../../jobs/worker/postpone-job.ts';
import { countDropped } from '../dropped-mail.ts';
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
}

/** Leases the message. Returns null when it is not to be sent: by this node, or at all. */
export async function beginAttempt(deps: AttemptDeps, mail: MailRow): Promise<PreparedMail | null> {
  const now = deps.clock();
  if (mail.expires_at <= now) {
    deps.logger.warn(labels(mail), 'mail has expired before it could be sent');
    await deps.database.transaction((tx) => dropJob(tx, mail, now));
    return null;
  }
  return deps.database.transaction(async (tx) => {
    // The user is locked before the message, as by use cases that change a user and delete messages to them.
    const prepared = await deps.prepare(tx, mail, now);
    if (prepared === null || prepared === 'over_limit') {
      const isDropped = await dropJob(tx, mail, now);
      if (isDropped && prepared === 'over_limit') countDropped(tx);
      return null;
    }
    if (await leaseJob(tx, mail, now + LEASE_MS)) return prepared;
    await prepared.withdraw(tx);
    return null;
  });
}

/** Sets the next attempt of a message that could not be prepared because of a fault of this program. */
export async function postponeMail(deps: AttemptDeps, mail: MailRow, error: unknown): Promise<void> {
  deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
  await deps.database.transaction(async (tx) => {
    if (await leaseJob(tx, mail, deps.clock()))
      await postponeJob(tx, { ...deps, retryDelay }, { job: mail, lastError: NOT_COMPOSED });
  });
}

/** Sends a leased message. Returns whether it was sent, and the failure if one concerns all messages. */
export async function sendMail(
  deps: AttemptDeps,
  { mail, prepared, stopping }: { mail: MailRow; prepared: PreparedMail; stopping: AbortSignal },
): Promise<{ readonly isSent: boolean; readonly concernsServer: boolean }> {
  let message: MailMessage;
  try {
    message = await prepared.compose();
  } catch (error) {
    deps.logger.error({ ...labels(mail), err: error }, 'mail cannot be composed');
    await failAttempt(deps, { mail, prepared, failure: UNCOMPOSED, lastError: NOT_COMPOSED });
    return { isSent: false, concernsServer: false };
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
    return { isSent: false, concernsServer };
  }
  return { isSent: true, concernsServer: false };
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
    if (failure.isPermanent) await finishJob(tx, mail, deps.clock());
    else if (isStopping) await releaseJob(tx, mail, { nextAttemptAt: deps.clock(), lastError });
    else await postponeJob(tx, { ...deps, retryDelay }, { job: mail, lastError });
  });
}

/** Identifies a message in the log without the address. */
function labels({ id, kind, user_id }: MailRow): object {
  return { mail_id: id, mail: kind, user_id };
}
