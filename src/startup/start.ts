/** Starts and stops the service, for the process and for tests. */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type AdminCredentials, createFixedCredentials } from '../callers/callers.ts';
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabaseToServe } from '../database/open.ts';
import { createActivityRecorder } from '../features/activity/recorder.ts';
import { createRejectionRecorder } from '../features/activity/rejection-recorder.ts';
import { withMarks } from '../features/events/chain/chain.ts';
import { startNumbering } from '../features/events/numbering/numbering.ts';
import {
  type ParametersInUse,
  readParameters,
  startUpdates,
} from '../features/people/accounts/parameters-in-use.ts';
import { createPasswordPolicy } from '../features/people/sign-in/password-policy.ts';
import { createKeyRotation } from '../features/people/tokens/signing-keys/rotate-keys.ts';
import type { Log } from '../lib/log/log.ts';
import { formatPrefix, PARAMETERS, type PasswordParameters } from '../lib/passwords/password-parameters.ts';
import { createPasswords, type HashingPool, type Passwords } from '../lib/passwords/passwords.ts';
import { type Clock, type MonotonicClock, monotonic } from '../lib/time.ts';
import { listRoutes, type RouteEntry } from '../plugins/route-table.ts';
import { buildServer, type HttpServer } from '../server.ts';
import type { AppDeps } from '../server-deps.ts';
import { followSettings, loadSettings } from '../settings/live-settings.ts';
import { startBackups } from './backups/schedule-backups.ts';
import { type Schedule, startHousekeeping } from './housekeeping.ts';
import { type OpenMetrics, openMetrics } from './metrics/open-metrics.ts';
import { prepareDatabase } from './prepare-database.ts';
import { startQueues } from './queues.ts';
import { recordSettings } from './record-settings.ts';
import { getSecretKey, readOrCreateSecretFile, toAdminCredentials } from './secret-files.ts';
import { readTexts } from './texts.ts';

export interface Service {
  readonly url: string;
  readonly database: Database;
  listRoutes(): RouteEntry[];
  /** File of the administrator credential; null if ADMIN_TOKEN is set. */
  readonly adminTokenFile: string | null;
  /**
   * Readiness fails, requests in progress finish, then the database closes. Further calls return the same promise.
   * Resolves to false if a request was cut off at the deadline.
   */
  stop(): Promise<boolean>;
}

/** Replacements for tests: the clocks and intervals of the process, the cost of new password hashes, and their threads. */
export interface Replacements {
  readonly clock?: Clock | undefined;
  readonly monotonicClock?: MonotonicClock | undefined;
  /** Runs the housekeeping. */
  readonly schedule?: Schedule | undefined;
  readonly passwordParameters?: PasswordParameters | undefined;
  readonly hashingPool?: HashingPool | undefined;
  /** Milliseconds between two authentications of a stream. */
  readonly streamCheckMs?: number | undefined;
  /** Milliseconds that a reader of events waits at most until they have their numbers. */
  readonly maxFlushMs?: number | undefined;
  /** Whether requests delay the event loop. */
  readonly isOverloaded?: (() => boolean) | undefined;
}

/**
 * @throws ConfigError for DATA_DIR, SecretFileError, SecretKeyMismatch, DatabaseNotSupported, DatabaseUnavailable, and the
 * errors of listening
 */
export async function start(config: Config, logger: Log, replacements: Replacements = {}): Promise<Service> {
  const { monotonicClock = monotonic, passwordParameters = PARAMETERS } = replacements;
  createDataDirectory(config);
  // First, because it locks a SQLite file: a second process must not change a file that the first one serves.
  const opened = openDatabaseToServe(config);
  let metrics: OpenMetrics | null = null;
  try {
    metrics = await openMetrics(config.metrics, logger);
    const texts = await readTexts(config.textsDir);
    const secrets = readSecrets(config, logger);
    const database = withMarks(metrics.countErrors(opened), () => secrets.secretKey);
    await prepareDatabase(database, { ...config, ...secrets, logger });
    const clock = replacements.clock ?? (await database.startClock((skewMs) => warnOfSkew(logger, skewMs)));
    await recordSettings(database, clock, config.settings);
    const settings = await loadSettings(database, config.runTime);
    const common = { ...replacements, database, settings, logger, clock, monotonicClock };
    const rejections = createRejectionRecorder(common);
    const resources = {
      ...common,
      metrics,
      operatorEmail: config.operatorEmail,
      rejections,
      texts: texts.withOwn(settings),
      passwordParameters,
      ...secrets,
    };
    const served = await serve(config, resources);
    return { ...served, database, adminTokenFile: secrets.adminTokenFile };
  } catch (error) {
    await metrics?.close();
    await opened.close();
    throw error;
  }
}

interface Secrets {
  readonly secretKey: string;
  readonly adminCredentials: AdminCredentials;
  readonly adminTokenFile: string | null;
}

/** Returns the secrets of the settings, or those of files, which are created at the first start. */
function readSecrets(config: Config, logger: Log): Secrets {
  const secretKey = getSecretKey(config, logger);
  if (config.adminTokens !== null)
    return { secretKey, adminCredentials: createFixedCredentials(config.adminTokens), adminTokenFile: null };
  const file = readOrCreateSecretFile(config.dataDir, 'admin-token', logger);
  return { secretKey, adminCredentials: toAdminCredentials(file, logger), adminTokenFile: file.file };
}

function warnOfSkew(logger: Log, skewMs: number): void {
  logger.warn(
    { clock_skew_ms: skewMs },
    'the clock of this machine differs from that of the database, which the service uses: synchronise both',
  );
}

interface Resources
  extends Secrets,
    Pick<Replacements, 'schedule' | 'streamCheckMs' | 'isOverloaded' | 'hashingPool' | 'maxFlushMs'>,
    Pick<AppDeps, 'database' | 'settings' | 'rejections' | 'logger' | 'texts' | 'clock' | 'monotonicClock'> {
  readonly operatorEmail: string | null;
  readonly passwordParameters: PasswordParameters;
  readonly metrics: OpenMetrics;
}

async function serve(config: Config, resources: Resources) {
  const { database, logger, clock, metrics, maxFlushMs } = resources;
  const parameters = await readParameters(database, clock, formatPrefix(resources.passwordParameters));
  const passwords = startPasswords(config, resources, parameters);
  const activity = createActivityRecorder(database, clock, logger);
  const numbering = startNumbering({ database, clock, logger, maxFlushMs });
  let stopping: Promise<boolean> | null = null;
  const server = buildServer({
    ...config,
    ...resources,
    startSettings: config.settings,
    passwords,
    passwordPolicy: createPasswordPolicy(config.passwordPolicy, logger),
    activity,
    numbering,
    startedAt: clock(),
    checkedSettings: config,
    isDraining: () => stopping !== null,
    requestObserver: metrics.observer,
  });
  const url = await listen(server, config);
  metrics.addGauges({ ...config, ...resources, passwords });
  const background = startBackground(config, resources, parameters);
  const queues = startQueues(config, { ...resources, numbering, onAttempt: metrics.jobAttempted }, url);
  const last = [activity, resources.rejections, numbering, passwords, metrics, database];
  const stop = () => (stopping ??= stopAll(server, { background, queues, last }, config));
  return { url, listRoutes: () => listRoutes(server.app), stop };
}

function startBackground(config: Config, resources: Resources, parameters: ParametersInUse) {
  const { database, logger, settings } = resources;
  return [
    startHousekeeping(database, { ...resources, rotateKeys: createKeyRotation(config, resources) }),
    startBackups(config, resources),
    startUpdates(parameters, logger),
    followSettings(settings, logger),
  ];
}

function startPasswords(config: Config, resources: Resources, { oldestPrefix }: ParametersInUse): Passwords {
  return createPasswords({
    threads: config.passwordThreads,
    queueLimit: config.passwordQueue,
    maxWaitMs: config.passwordMaxWaitMs,
    oldestPrefix,
    pepper: config.passwordPepper,
    parameters: resources.passwordParameters,
    pool: resources.hashingPool,
  });
}

async function listen({ app }: HttpServer, { host, port, reusePort }: Config): Promise<string> {
  // Fastify passes the options to Node; its type lacks `reusePort`.
  const options = { host, port, reusePort };
  try {
    await app.listen(options);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { address, family, port: boundPort } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`;
}

interface Closable {
  close(): Promise<unknown>;
}

/** Stops each part once nothing uses it any more. Returns whether all requests in progress were finished. */
async function stopAll(
  { app, connections }: HttpServer,
  { background, queues, last }: { background: Closable[]; queues: Closable; last: Closable[] },
  { shutdownDelaySeconds }: Config,
): Promise<boolean> {
  const backgroundClosed = Promise.all(background.map((part) => part.close()));
  // Readiness fails during this time, so that load balancers stop sending requests before connections are closed.
  await delay(shutdownDelaySeconds * 1000);
  const queuesClosed = queues.close();
  const isComplete = await connections.drain(() => app.close());
  await backgroundClosed;
  await queuesClosed;
  for (const part of last) await part.close();
  return isComplete;
}
