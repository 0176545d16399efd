/** Sends messages over SMTP with nodemailer, which is loaded for the first message: most starts send none. */
import type { SMTPPoolOptions } from 'nodemailer';
import type { MailSender, MailSettings, SmtpServer } from '../settings.ts';
import type { MailMessage, MailTransport } from './message.ts';

export const MAX_CONNECTIONS = 5;

/** Creates the transport. It connects for the first message. */
export function createSmtpTransport({ server, from }: NonNullable<MailSettings['smtp']>): MailTransport {
  let loading: ReturnType<typeof createPool> | null = null;
  return {
    async send(message, signal) {
      loading ??= createPool(server);
      const pool = await loading;
      await pool.sendMail({ ...mailOptions(message, from), signal });
    },
    close() {
      void loading?.then(
        (pool) => pool.close(),
        () => {},
      );
    },
  };
}

/** Connects and logs in without sending anything, within this time. @throws an error of nodemailer */
export async function verifySmtp({ server }: NonNullable<MailSettings['smtp']>, timeoutMs: number) {
  const pool = await createPool(server);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`no response within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => reject(error), timeoutMs);
  try {
    await Promise.race([pool.verify(), late]);
  } finally {
    clearTimeout(timer);
    pool.close();
  }
}

async function createPool(server: SmtpServer) {
  const { createTransport } = await import('nodemailer');
  return createTransport(poolOptions(server));
}

function poolOptions({ host, port, isSecure, startTls, credentials }: SmtpServer) {
  return {
    pool: true,
    host,
    ...(port === null ? {} : { port }),
    secure: isSecure,
    requireTLS: startTls === 'required',
    ignoreTLS: startTls === 'off',
    ...(credentials === null ? {} : { auth: credentials }),
    maxConnections: MAX_CONNECTIONS,
    // Only a message of which nothing was sent is sent again, when the server has closed an idle connection.
    maxRequeues: 1,
    // Messages are rare: a connection is kept for those that wait, not for later ones.
    idleTimeout: 5_000,
    connectionTimeout: 10_000,
    dnsTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
    // Nothing but the texts themselves may become part of a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SMTPPoolOptions;
}

function mailOptions({ id, to, language, subject, text, html }: MailMessage, from: MailSender) {
  return {
    from,
    // As an object, so that the address is not parsed as a list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // The same at each attempt, so that a mail program can recognise a message that was sent twice.
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: {
      // Vacation responders do not respond (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      // RFC 3282 section 2.
      'Content-Language': language,
    },
  };
}
