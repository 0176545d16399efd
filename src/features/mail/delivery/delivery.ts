/** Sends the queued messages over the transport. */
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../../../database/database.ts';
import { finishJob } from '../../jobs/lanes/finish-job.ts';
import type { JobKind, LeasedJob } from '../../jobs/worker/job-kind.ts';
import { JobWorker, type JobWorkerDeps } from '../../jobs/worker/job-worker.ts';
import { findDueMail, findUrgentMail, type MailRow } from '../queries.ts';
import {
  type AttemptDeps,
  beginAttempt,
  postponeMail,
  recordSent,
  type SentMail,
  sendMail,
} from './attempt.ts';
import { MAX_RETRY_DELAY_MS } from './retry-delay.ts';
import { MAX_CONNECTIONS } from './smtp-transport.ts';

/** While the server cannot be used, only a few messages per pause use up an attempt. */
const SERVER_PAUSE_MS = 10_000;
/** One connection is kept for messages that a person waits for. */
const MAX_LESS_URGENT = MAX_CONNECTIONS - 1;

export interface DeliveryDeps extends AttemptDeps, JobWorkerDeps {
  readonly logger: Logger;
}

export class MailDelivery {
  readonly #deps: DeliveryDeps;
  readonly #worker: JobWorker<MailRow, SentMail>;

  /** Starts to send messages as they become due. */
  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#worker = new JobWorker(deps, createMailJobs(deps));
  }

  /** Sends all messages that are due now. Resolves when each was sent or has failed. */
  deliverDue(): Promise<void> {
    return this.#worker.runDue();
  }

  /** Finishes what is being sent, within a few seconds. */
  async close(): Promise<void> {
    await this.#worker.close();
    this.#deps.transport.close();
  }
}

function createMailJobs(deps: DeliveryDeps): JobKind<MailRow, SentMail> {
  const { database, clock, logger } = deps;
  return {
    queue: 'mail',
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    maxRunning: MAX_CONNECTIONS,
    // The limits of recipients are checked for one message after the other.
    maxLeasedAtOnce: 1,
    findNext({ running: sending }) {
      if (sending < MAX_LESS_URGENT) return findDueMail(database, clock(), MAX_LESS_URGENT - sending);
      return findUrgentMail(database, clock(), MAX_CONNECTIONS - sending);
    },
    lease: ([mail]) => lease(deps, mail!),
    mayRun: () => true,
    async storeOutcomes(tx, outcomes) {
      for (const outcome of outcomes) {
        await recordSent(deps, tx, outcome);
        await finishJob(tx, outcome.mail, clock());
      }
    },
    onUnavailable: (error) => logger.warn({ err: error }, 'the mail queue is not available'),
    onNotStored: (mail, error) =>
      logger.warn({ err: error, mail_id: mail.id }, 'the outcome of sending mail could not be stored'),
  };
}

async function lease(deps: DeliveryDeps, mail: MailRow): Promise<LeasedJob<MailRow, SentMail>[]> {
  const prepared = await beginAttempt(deps, mail).catch(async (error) => {
    if (error instanceof DatabaseUnavailable) throw error;
    await postponeMail(deps, mail, error);
    return null;
  });
  if (prepared === null) return [];
  const run = async (stopping: AbortSignal) => {
    const { sent, concernsServer } = await sendMail(deps, { mail, prepared, stopping });
    const pause = concernsServer ? { pauseMs: SERVER_PAUSE_MS } : {};
    return { outcome: sent === null ? null : { mail, prepared, sent }, isDone: sent !== null, ...pause };
  };
  return [{ job: mail, run }];
}
