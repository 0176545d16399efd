import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { watchQueue } from '../../jobs/worker/watch-queue.ts';
import { findDueMail } from '../queries.ts';

/** Logs once, when the first message waits, how to configure mail. */
export function watchMail(database: Database, clock: Clock, logger: Logger): { close(): Promise<void> } {
  return watchQueue({
    hasDue: async () => (await findDueMail(database, clock(), 1)).length > 0,
    onDue: () =>
      logger.warn(
        'mail waits in the queue because SMTP_URL is not set: set SMTP_URL, MAIL_FROM and PUBLIC_URL to send it, ' +
          'or MAIL_TO_LOG=true to write it to the log',
      ),
  });
}
