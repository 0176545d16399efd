/** The process: reads the settings, starts the service, handles signals and exits. */
import { type ProcessEnvironment, readEnvironment } from './config/environment-file.ts';
import { type Config, checkSettingNames, readConfig } from './config.ts';
import { isExposed } from './database/open.ts';
import { buildPages } from './features/pages/assets/build-pages.ts';
import { createLogger, type ProcessLogger } from './logger.ts';
import { DRAIN_TIMES } from './plugins/connections/connections.ts';
import { formatAnnouncement } from './startup/announcement.ts';
import type { Service } from './startup/start.ts';
import { describeStartFailure } from './startup/start-failure.ts';

/** Limits closing the database after the last request: an unavailable database may never respond. */
const CLOSE_DEADLINE_MS = 3_000;
/** After the first requests, which would wait for it. */
const COLLECT_GARBAGE_AFTER_MS = 2_000;

/** Set as soon as it was read. */
let environment: ProcessEnvironment | undefined;

async function main(): Promise<void> {
  // Database and secret files are readable by their owner only.
  process.umask(0o077);
  environment = readEnvironment(process.cwd(), process.env);
  checkSettingNames(environment);
  const config = readConfig(environment.variables);
  const isTerminal = process.stdout.isTTY === true;
  const log = await createLogger({ level: config.logLevel, isTerminal });
  exitOnUnexpectedErrors(log);
  await buildPages(log.logger);
  // Loaded after the settings, so that a wrong one is reported at once.
  const { start } = await import('./startup/start.ts');
  const service = await start(config, log.logger).catch((error) => failToStart(error, log));
  if (config.passwordPolicy === 'contract') {
    log.logger.warn(
      'PASSWORD_POLICY=contract accepts any password of 8 or more characters: set it to nist in production',
    );
  }
  if (isExposed(config)) {
    log.logger.warn(
      'DATABASE_URL connects to another host without TLS, where anybody on the way can read and change the data: add sslmode=verify-full',
    );
  }
  stopOnSignals(service, config, log);
  // After the signal handlers are installed, because a script that waits for this text may send a signal at once.
  const { url, database, adminTokenFile } = service;
  const settingsFile = environment.fileExists ? environment.file : null;
  const started = { url, store: database.location, adminTokenFile, settingsFile };
  console.log(formatAnnouncement({ ...started, hasConsole: config.console }, isTerminal));
  if (settingsFile !== null) log.logger.info({ file: settingsFile }, 'settings were read from .env');
  setTimeout(returnMemory, COLLECT_GARBAGE_AFTER_MS).unref();
}

/** Returns the memory to the system that only the start needed. Needs `node --expose-gc`. */
function returnMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

async function exit(code: number, { flush }: ProcessLogger): Promise<never> {
  await flush();
  process.exit(code);
}

function exitOnUnexpectedErrors(log: ProcessLogger): void {
  const logAndExit = (error: unknown) => {
    log.logger.fatal({ err: error }, 'the process exits because of an unexpected error');
    void exit(1, log);
  };
  process.on('uncaughtException', logAndExit);
  process.on('unhandledRejection', logAndExit);
}

function stopOnSignals(service: Service, config: Config, log: ProcessLogger): void {
  const deadline = config.shutdownDelaySeconds * 1000 + DRAIN_TIMES.deadline + CLOSE_DEADLINE_MS;
  let isStopping = false;
  // Nothing is read again at SIGHUP: the log is standard output. It is also the end of the terminal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Ctrl+C reaches the process twice: from the terminal, and through npm.
    process.on(signal, async () => {
      if (isStopping) return;
      isStopping = true;
      log.logger.info(`${signal} received: finishing the requests in progress`);
      setTimeout(() => exit(1, log), deadline).unref();
      const isComplete = await service.stop();
      await exit(isComplete ? 0 : 1, log);
    });
  }
}

main().catch(failToStart);

async function failToStart(error: unknown, log?: ProcessLogger): Promise<never> {
  console.error(`Frontdesk cannot start: ${describeStartFailure(error, environment)}`);
  await log?.flush();
  process.exit(1);
}
