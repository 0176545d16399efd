/** Starts the delivery of mail that the settings describe. */
import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import { keyedHash } from '../../../lib/secrets/secret-key.ts';
import type { Clock, MonotonicClock } from '../../../lib/time/clock.ts';
import { MailDelivery } from '../delivery/delivery.ts';
import { createLogTransport } from '../delivery/log-transport.ts';
import type { MailTransport } from '../delivery/message.ts';
import { createSmtpTransport } from '../delivery/smtp-transport.ts';
import { watchMail } from '../delivery/watch-mail.ts';
import type { MailSettings } from '../settings.ts';
import { createPrepareMail } from './prepare-mail.ts';

export interface MailDeps {
  readonly settings: MailSettings;
  /** URL that links begin with, without a trailing slash. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly logger: Logger;
}

/** Starts to send the queued messages; without a server, they wait. Stops with `close`. */
export function startMail(deps: MailDeps): { close(): Promise<void> } {
  const { settings, baseUrl, database, clock, logger } = deps;
  const transport = createTransport(settings, logger);
  if (transport === null) return watchMail(database, clock, logger);
  const recipientHash = keyedHash(deps.secretKey, 'mail-recipients');
  const prepare = createPrepareMail({ baseUrl, serviceName: settings.serviceName, recipientHash });
  return new MailDelivery({ ...deps, prepare, transport, random: Math.random });
}

function createTransport({ smtp, toLog }: MailSettings, logger: Logger): MailTransport | null {
  if (!toLog) return smtp === null ? null : createSmtpTransport(smtp);
  logger.warn('MAIL_TO_LOG=true: mail is not sent, and the log contains links that give access to accounts');
  return createLogTransport(logger);
}
