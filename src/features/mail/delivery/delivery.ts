/** Sends the queued messages over the transport. */
import { DatabaseUnavailable } from '../../../database/database.ts';
import { type JobAttempt, type JobKind, JobWorker, type JobWorkerDeps } from '../../jobs/job-worker.ts';
import { findDueMail, findUrgentMail, type MailRow } from '../queries.ts';
import { type AttemptDeps, beginAttempt, postponeMail, sendMail } from './attempt.ts';
import { MAX_RETRY_DELAY_MS } from './failure.ts';
import { MAX_CONNECTIONS } from './smtp-transport.ts';

/** One connection is kept for messages that a person waits for. */
const MAX_LESS_URGENT = MAX_CONNECTIONS - 1;

type DeliveryDeps = AttemptDeps & JobWorkerDeps;

/** Starts to send messages as they become due. */
export function startMailDelivery(deps: DeliveryDeps) {
  const worker = new JobWorker(deps, createMailJobs(deps));
  return {
    /** Sends all messages that are due now. Resolves when each was sent or has failed. */
    deliverDue: () => worker.runDue(),
    /** Finishes messages that are being sent, within a few seconds. */
    async close() {
      await worker.close();
      deps.transport.close();
    },
  };
}

function createMailJobs(deps: DeliveryDeps): JobKind<MailRow> {
  const { database, clock, logger } = deps;
  return {
    queue: 'mail',
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    maxRunning: MAX_CONNECTIONS,
    findNext({ length: sending }) {
      if (sending < MAX_LESS_URGENT) return findDueMail(database, clock(), MAX_LESS_URGENT - sending);
      return findUrgentMail(database, clock(), MAX_CONNECTIONS - sending);
    },
    begin: (mail) => begin(deps, mail),
    onUnavailable: (error) => logger.warn({ err: error }, 'the mail queue is not available'),
    onNotStored: (mail, error) =>
      logger.warn({ err: error, mail_id: mail.id }, 'the outcome of sending mail could not be stored'),
  };
}

async function begin(deps: DeliveryDeps, mail: MailRow): Promise<JobAttempt | null> {
  try {
    const prepared = await beginAttempt(deps, mail);
    return prepared && ((stopping) => sendMail(deps, { mail, prepared, stopping }));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    await postponeMail(deps, mail, error);
    return null;
  }
}
