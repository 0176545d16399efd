/** Checks the mail server and the queue of messages. Sends nothing. */
import type { Database } from '../../../database/database.ts';
import { formatCount } from '../../../lib/text/count.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import { countJobsUpTo } from '../../jobs/queries.ts';
import { verifySmtp } from '../../mail/delivery/smtp-transport.ts';
import type { MailSettings } from '../../mail/settings.ts';
import { type Finding, failure, getReason, ok, warning } from './finding.ts';

/** `timeoutMs`: how long the mail server has to respond. */
export async function checkMail({ smtp, toLog }: MailSettings, timeoutMs: number): Promise<Finding[]> {
  if (toLog) return [warning('mail', 'MAIL_TO_LOG=true logs the links of messages: for development only')];
  if (smtp === null)
    return [
      warning('mail', 'SMTP_URL is not set: messages stay queued, and users cannot reset their passwords'),
    ];
  try {
    await verifySmtp(smtp, timeoutMs);
    return [ok('mail', `${smtp.server.host} accepts the connection and the login`)];
  } catch (error) {
    return [failure('mail', `${smtp.server.host}: ${getReason(error)}: check SMTP_URL and the mail server`)];
  }
}

/** More messages are not read. */
const MAX_MESSAGES = 1_000;

export async function checkQueue(database: Database, now: number): Promise<Finding> {
  const { waiting, failed, oldest } = await countJobsUpTo(database, {
    queue: 'mail',
    now,
    limit: MAX_MESSAGES + 1,
  });
  const details = 'see "npm run cli -- api listMail --state waiting"';
  if (failed > 0)
    return warning('mail queue', `${formatCount(failed, 'message')} could not be delivered yet: ${details}`);
  if (oldest !== null && oldest < now - HOUR)
    return warning('mail queue', `a message has waited for more than an hour: ${details}`);
  if (waiting > MAX_MESSAGES)
    return warning('mail queue', `more than ${MAX_MESSAGES} messages wait: ${details}`);
  return ok('mail queue', 'no message waits for long');
}
