/** Starts the delivery of mail that the settings describe. */
import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import { keyedHash } from '../../../lib/secrets/secret-key.ts';
import type { Clock, MonotonicClock } from '../../../lib/time/clock.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { Texts } from '../../texts/texts.ts';
import { MailDelivery } from '../delivery/delivery.ts';
import { createLogTransport } from '../delivery/log-transport.ts';
import type { MailTransport } from '../delivery/message.ts';
import { createSmtpTransport } from '../delivery/smtp-transport.ts';
import { watchMail } from '../delivery/watch-mail.ts';
import { createContentSeal } from '../messages/content-seal.ts';
import type { MailSettings } from '../settings.ts';
import { createPrepareMail } from './prepare-mail.ts';

export interface MailDeps {
  readonly mail: MailSettings;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
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
  const { mail, settings, texts, baseUrl, database, clock, logger } = deps;
  const transport = createTransport(mail, logger);
  if (transport === null) return watchMail(database, clock, logger);
  const recipientHash = keyedHash(deps.secretKey, 'mail-recipients');
  const prepare = createPrepareMail({ baseUrl, settings, texts, recipientHash });
  // The log has the texts as well.
  const sealContent = mail.toLog ? createContentSeal(deps.secretKey).seal : null;
  return new MailDelivery({ ...deps, prepare, transport, sealContent, random: Math.random });
}

function createTransport({ smtp, toLog }: MailSettings, logger: Logger): MailTransport | null {
  if (!toLog) return smtp === null ? null : createSmtpTransport(smtp);
  logger.warn('MAIL_TO_LOG=true: mail is not sent, and the log contains links that give access to accounts');
  return createLogTransport(logger);
}
