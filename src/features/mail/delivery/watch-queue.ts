import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { findDueMail } from '../queries.ts';
import { POLL_MS } from './delivery.ts';

/** Logs once, when the first message waits, how to configure mail. */
export function watchQueue(database: Database, clock: Clock, logger: Logger): { close(): Promise<void> } {
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    // While the database is unavailable, requests and readiness report it.
    const waiting = await findDueMail(database, clock(), 1).catch(() => []);
    if (waiting.length === 0) return;
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
