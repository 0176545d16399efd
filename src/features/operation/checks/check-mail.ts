/** Checks the mail server. Sends nothing. */
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
