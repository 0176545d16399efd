/** Checks the mail server and the queue of messages. Sends nothing. */
import type { Database } from '../../database/database.ts';
import { countMail } from '../../features/mail/queries.ts';
import type { MailSettings } from '../../features/mail/settings.ts';
import { verifySmtp } from '../../features/mail/smtp-transport.ts';
import { HOUR } from '../../lib/clock.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

export async function checkMail({ smtp, toLog }: MailSettings): Promise<Finding[]> {
  if (toLog) return [warning('mail', 'MAIL_TO_LOG=true logs the links of messages: for development only')];
  if (smtp === null)
    return [warning('mail', 'SMTP_URL is not set: messages wait, and nobody can reset a password')];
  try {
    await verifySmtp(smtp);
    return [ok('mail', `${smtp.server.host} accepts the connection and the login`)];
  } catch (error) {
    return [failure('mail', `${smtp.server.host}: ${reasonOf(error)}: check SMTP_URL and the mail server`)];
  }
}

export async function checkQueue(database: Database): Promise<Finding[]> {
  const kinds = await countMail(database, Date.now());
  const failed = kinds.reduce((total, counts) => total + counts.failed, 0);
  const oldest = Math.min(...kinds.map((counts) => counts.oldest));
  const details = 'see "npm run cli -- mail status"';
  if (failed > 0)
    return [warning('mail queue', `${failed} message(s) could not be delivered yet: ${details}`)];
  if (oldest < Date.now() - HOUR)
    return [warning('mail queue', `a message has waited for more than an hour: ${details}`)];
  return [ok('mail queue', 'no message waits for long')];
}
