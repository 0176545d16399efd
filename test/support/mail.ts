/** Queues messages, and sends them with a clock that the test sets. */
import type { Database } from '../../src/database/database.ts';
import { createPrepareMail } from '../../src/features/mail/content/prepare-mail.ts';
import { startMailDelivery } from '../../src/features/mail/delivery/delivery.ts';
import type { MailTransport, PrepareMail } from '../../src/features/mail/delivery/message.ts';
import { createSmtpTransport } from '../../src/features/mail/delivery/smtp-transport.ts';
import { enqueueMail, type NewMail } from '../../src/features/mail/enqueue-mail.ts';
import { createMailCodes } from '../../src/features/mail/mail-codes.ts';
import { createTexts } from '../../src/features/texts/texts.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { createKeyedHash } from '../../src/lib/secrets/encryption.ts';
import { DAY } from '../../src/lib/time.ts';
import { readCurrentSettings } from './settings.ts';
import type { TestSmtpServer } from './smtp-server.ts';

const texts = await createTexts(null);

export const BASE_URL = 'https://id.example.org';

/** Queues a message in a transaction of its own. */
export function enqueue(database: Database, mail: NewMail): Promise<void> {
  return database.transaction((tx) => enqueueMail(tx, mail));
}

/** Creates the function that prepares messages, with one key for all workers. */
export function createTestPrepareMail(): PrepareMail {
  const current = readCurrentSettings({ INSTANCE_NAME: 'Example' });
  const recipientHash = createKeyedHash('the-secret-key-of-the-test-deliveries', 'mail-recipients');
  const getMailCode = createMailCodes('the-secret-key-of-the-test-deliveries');
  return createPrepareMail({ baseUrl: BASE_URL, settings: { current }, texts, recipientHash, getMailCode });
}

export interface TestDelivery {
  readonly delivery: ReturnType<typeof startMailDelivery>;
  /** Parsed log lines. */
  readonly log: Record<string, unknown>[];
}

export interface DeliveryOptions {
  readonly clock: () => number;
  readonly startTls?: 'required' | 'offered' | 'off';
  readonly credentials?: { readonly user: string; readonly pass: string };
  readonly prepare?: PrepareMail;
  readonly transport?: MailTransport;
  readonly monotonicClock?: () => number;
  readonly stopDeadlineMs?: number;
  readonly pollMs?: number;
}

/** Starts a worker that sends to the server when the test says so. Delays of retries have no jitter. */
export function startTestDelivery(
  database: Database,
  { port }: Pick<TestSmtpServer, 'port'>,
  options: DeliveryOptions,
): TestDelivery {
  const { clock, startTls = 'offered', credentials = null } = options;
  const log: Record<string, unknown>[] = [];
  const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
  const server = { host: '127.0.0.1', port, isSecure: false, startTls, credentials };
  const from = { name: 'Example', address: 'accounts@example.org' };
  const delivery = startMailDelivery({
    database,
    monotonicClock: clock,
    logger,
    random: () => 0.5,
    pollMs: DAY,
    sealContent: null,
    prepare: createTestPrepareMail(),
    transport: createSmtpTransport({ server, from }),
    ...options,
  });
  return { delivery, log };
}
