/** Sends the queued messages over the transport that the settings describe. */
import type { Logger } from 'pino';
import { type Database, type DatabaseDeps, DatabaseUnavailable } from '../../../database/database.ts';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import type { Clock, MonotonicClock } from '../../../lib/time.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import {
  type JobAttempt,
  type JobKind,
  JobWorker,
  type JobWorkerDeps,
  POLL_MS,
} from '../../jobs/job-worker.ts';
import type { Texts } from '../../texts/texts.ts';
import { createPrepareMail } from '../content/prepare-mail.ts';
import { createMailCodes } from '../mail-codes.ts';
import { findDueMail, findUrgentMail, type MailRow } from '../queries.ts';
import type { MailSettings } from '../settings.ts';
import { type AttemptDeps, beginAttempt, postponeMail, sendMail } from './attempt.ts';
import { MAX_RETRY_DELAY_MS } from './failure.ts';
import { createContentSeal, type MailTransport } from './message.ts';
import { createSmtpTransport, MAX_CONNECTIONS } from './smtp-transport.ts';

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

export interface MailDeps extends DatabaseDeps {
  readonly mail: MailSettings;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  /** URL that links begin with, without a trailing slash. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly monotonicClock: MonotonicClock;
  readonly logger: Logger;
  readonly onAttempt?: JobWorkerDeps['onAttempt'];
}

/** Starts to send the queued messages; without a server, they wait. Stops with `close`. */
export function startMail(deps: MailDeps): { close(): Promise<void> } {
  const { mail, settings, texts, baseUrl, database, clock, logger } = deps;
  const transport = createTransport(mail, logger);
  if (transport === null) return watchMail(database, clock, logger);
  const recipientHash = createKeyedHash(deps.secretKey, 'mail-recipients');
  const getMailCode = createMailCodes(deps.secretKey);
  const prepare = createPrepareMail({ baseUrl, settings, texts, recipientHash, getMailCode });
  // The log has the texts as well.
  const sealContent = mail.toLog ? createContentSeal(deps.secretKey).seal : null;
  return startMailDelivery({ ...deps, prepare, transport, sealContent, random: Math.random });
}

function createTransport({ smtp, toLog }: MailSettings, logger: Logger): MailTransport | null {
  if (!toLog) return smtp === null ? null : createSmtpTransport(smtp);
  logger.warn('MAIL_TO_LOG=true: mail is not sent, and the log contains links that give access to accounts');
  return createLogTransport(logger);
}

/** Logs once, when the first message waits, how to configure mail. */
function watchMail(database: Database, clock: Clock, logger: Logger): { close(): Promise<void> } {
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    // While the database is unavailable, requests and readiness report it.
    const due = await findDueMail(database, clock(), 1).catch(() => []);
    if (due.length === 0) return;
    clearInterval(timer);
    logger.warn(
      'mail waits in the queue because SMTP_URL is not set: set SMTP_URL, MAIL_FROM and PUBLIC_URL to send it, ' +
        'or MAIL_TO_LOG=true to write it to the log',
    );
  };
  const timer = setInterval(() => {
    reading = read();
  }, POLL_MS).unref();
  return {
    close() {
      clearInterval(timer);
      return reading;
    },
  };
}

/** Creates a transport that logs messages with their links instead of sending them: for development. */
function createLogTransport(logger: Logger): MailTransport {
  return {
    async send({ kind, to, subject, link }) {
      logger.info({ mail: kind, to, subject, link }, 'mail is logged instead of sent (MAIL_TO_LOG)');
    },
    close() {},
  };
}
