import type { Logger } from 'pino';
import type { MailTransport } from './message.ts';

/** Creates a transport that logs messages with their links instead of sending them: for development. */
export function createLogTransport(logger: Logger): MailTransport {
  return {
    async send({ kind, to, subject, link }) {
      logger.info({ mail: kind, to, subject, link }, 'mail is logged instead of sent (MAIL_TO_LOG)');
    },
    close() {},
  };
}
