/** A real SMTP server that keeps the messages it accepts, parsed. */
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail extends Email {
  /** The recipients of the envelope, which headers do not decide. */
  readonly recipients: string[];
  /** As it was sent. */
  readonly source: string;
}

export interface TestSmtpServer {
  readonly port: number;
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Number of messages whose sending has begun, accepted or not. */
  readonly attempts: number;
  /** Resolves when at least so many messages were received. */
  waitFor(count: number): Promise<void>;
  /** Closes all connections, without a reply. */
  disconnectAll(): void;
  close(): Promise<void>;
}

/** A reply that rejects a command. */
export function rejection(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

export interface Handlers {
  /** Called for each recipient; an error rejects it. */
  onRecipient?: (address: string) => Error | null;
  /** Called with each complete message before the reply; an error rejects it. */
  onMessage?: (mail: ReceivedMail) => Promise<Error | null> | Error | null;
}

/** Starts a server on a free port, or on one that another server has used. */
export async function startSmtpServer(
  handlers: Handlers = {},
  { port = 0, ...options }: SMTPServerOptions & { port?: number } = {},
): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    ...options,
    onMailFrom(_address, _session, callback) {
      attempts++;
      callback();
    },
    onRcptTo({ address }, _session, callback) {
      callback(handlers.onRecipient?.(address) ?? null);
    },
    async onData(stream, session, callback) {
      const chunks = await Array.fromAsync(stream).catch(() => null);
      // The client has gone away in the middle of the message.
      if (chunks === null) return;
      const source = Buffer.concat(chunks).toString();
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      const mail = { ...(await PostalMime.parse(source)), recipients, source };
      const error = (await handlers.onMessage?.(mail)) ?? null;
      if (error === null) received.push(mail);
      callback(error);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // Connections that are lost are part of the tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const disconnectAll = () => {
    for (const connection of sockets) connection.destroy();
  };
  const { port: boundPort } = server.server.address() as AddressInfo;
  return {
    port: boundPort,
    url: `smtp://127.0.0.1:${boundPort}`,
    received,
    get attempts() {
      return attempts;
    },
    waitFor(count) {
      return new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      });
    },
    disconnectAll,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        disconnectAll();
      }),
  };
}

/** Returns the settings of a service that sends its mail there. */
export function mailEnvironment({ url }: Pick<TestSmtpServer, 'url'>): Record<string, string> {
  return { SMTP_URL: url, MAIL_FROM: 'Example <accounts@example.org>', PUBLIC_URL: 'https://id.example.org' };
}
