/** The process: settings, start, signals, end. */
import { isIPv6 } from 'node:net';
import { ConfigError, readConfig } from './config.ts';
import { DatabaseUnavailable } from './database/database.ts';
import { DatabaseTooNew } from './database/migrate.ts';
import { DRAIN_TIMES } from './http/server/drain.ts';
import { createLogger } from './logger.ts';
import { SecretFileError } from './secret-files.ts';
import { type Service, StartError, start } from './start.ts';

/** What closing has after the last request: a database that is away may never answer. */
const CLOSE_DEADLINE_MS = 3_000;

async function main(): Promise<void> {
  // Databases and secrets are for this user's eyes.
  process.umask(0o077);
  const config = readConfig(process.env);
  const { logger, flush } = createLogger(config.logLevel);
  process.on('exit', flush);
  const die = (error: unknown) => {
    logger.fatal({ err: error }, 'the process ends on an unexpected error');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);

  const service = await start(config, logger);
  if (config.passwordPolicy === 'contract') {
    logger.warn('PASSWORD_POLICY=contract accepts any password of 8 characters; set it to nist for real use');
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info(`${signal}: finishing what is under way`);
      const deadline = config.shutdownDelaySeconds * 1000 + DRAIN_TIMES.deadline + CLOSE_DEADLINE_MS;
      setTimeout(() => process.exit(1), deadline).unref();
      service.stop().then((isComplete) => process.exit(isComplete ? 0 : 1), die);
    });
  }
  // Last: who waits for this line may send a signal at once.
  announce(service);
}

/** For the operator's eyes, therefore not JSON: where it listens, where it stores, where the credential is. */
function announce({ address, database, adminTokenFile }: Service): void {
  const credential = adminTokenFile === null ? 'ADMIN_TOKEN' : adminTokenFile;
  console.log(
    `Frontdesk listens on ${address} and stores in ${database.location} (administrator credential: ${credential})`,
  );
}

main().catch((error) => {
  console.error(`Frontdesk cannot start: ${reason(error)}`);
  process.exit(1);
});

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
  /** Of an error that PostgreSQL itself reports. */
  readonly severity?: string;
}

const EXPECTED = [ConfigError, StartError, SecretFileError, DatabaseTooNew, DatabaseUnavailable];

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use already (PORT)',
  EACCES: 'is not allowed (HOST, PORT)',
  EADDRNOTAVAIL: 'is not an address of this machine (HOST)',
  ENOTFOUND: 'is not an address of this machine (HOST)',
};

/** One line for what an operator can mend; the whole trace only for what nobody expected. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, severity } = error as SystemError;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return onOneLine(listeningProblem(error));
  if (severity !== undefined) return onOneLine(`PostgreSQL refuses: ${error.message} (DATABASE_URL)`);
  if (error instanceof DatabaseUnavailable) return onOneLine(`${error.message} (${databaseSetting()})`);
  // What the system or a driver refuses has a code, and its message says enough.
  const isExpected = code !== undefined || EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? onOneLine(error.message) : (error.stack ?? error.message);
}

function listeningProblem({ code = '', hostname, address = '', port }: SystemError): string {
  const host = hostname ?? (isIPv6(address) ? `[${address}]` : address);
  const place = port === undefined ? host : `${host}:${port}`;
  return `${place} ${LISTENING[code] ?? `cannot be listened on: ${code} (HOST, PORT)`}`;
}

function databaseSetting(): string {
  return readConfig(process.env).databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
}

/** Values of settings are part of messages, and nothing keeps line breaks out of them. */
function onOneLine(message: string): string {
  return message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
