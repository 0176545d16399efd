/** From settings to a listening service, and back: what main.ts runs and tests start several of. */

import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { makeDataDirectory } from './config/data-directory.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase, openDatabaseToServe } from './database/open.ts';
import { claimSetting, writeSetting } from './database/settings.ts';
import { createActivityRecorder } from './features/activity/recorder.ts';
import { createPasswordPolicy } from './features/users/password-policy.ts';
import { startHousekeeping } from './housekeeping.ts';
import { releaseAllClaims } from './http/idempotency/queries.ts';
import { drain } from './http/server/drain.ts';
import { type Clock, type MonotonicClock, monotonic } from './lib/clock.ts';
import { createPasswords } from './lib/passwords.ts';
import { deriveKey } from './lib/secret-key.ts';
import { secretFile } from './secret-files.ts';

export interface Service {
  /** Where it listens, as `http://host:port`. */
  readonly address: string;
  readonly database: Database;
  /** The file of the administrator credential, when the operator has not set one. */
  readonly adminTokenFile: string | null;
  /**
   * Readiness fails, requests in flight finish, then the database closes. Asked twice, it stops once.
   * Gives false when a request had to be cut off at the deadline.
   */
  stop(): Promise<boolean>;
}

/** Replacements for the clocks of the process, for tests. */
export interface Clocks {
  readonly clock?: Clock | undefined;
  readonly monotonicClock?: MonotonicClock | undefined;
}

/** A start that cannot succeed; the message is the one line that the operator needs. */
export class StartError extends Error {
  override name = 'StartError';
}

/**
 * @throws ConfigError of DATA_DIR, SecretFileError, StartError, DatabaseTooNew, DatabaseUnavailable, and what
 * listening fails with
 */
export async function start(config: Config, logger: Logger, clocks: Clocks = {}): Promise<Service> {
  const { clock = Date.now, monotonicClock = monotonic } = clocks;
  makeDataDirectory(config);
  // First of all: a second process on the same file must not touch what the first one works with.
  const database = openDatabaseToServe(config);
  try {
    const secretKey = secretKeyOf(config, logger);
    const adminFile = config.adminTokens === null ? secretFile(config.dataDir, 'admin-token', logger) : null;
    await migrate(database);
    await checkSecretKey(database, secretKey);
    // Claims that exist before the only process starts are of one that has ended.
    if (!database.isShared) await database.transaction(releaseAllClaims);
    const adminTokens = config.adminTokens ?? [adminFile!.secret];
    const running = await listen(config, { database, logger, clock, monotonicClock, secretKey, adminTokens });
    return { ...running, database, adminTokenFile: adminFile?.file ?? null };
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly secretKey: string;
  readonly adminTokens: readonly string[];
}

async function listen(config: Config, parts: Parts): Promise<Pick<Service, 'address' | 'stop'>> {
  const { database, logger, clock } = parts;
  const passwords = createPasswords({
    threads: config.passwordThreads,
    queueLimit: config.passwordQueue,
    pepper: config.passwordPepper,
  });
  const activity = createActivityRecorder(database, clock, logger);
  let draining = false;
  const { app, connections } = buildApp({
    ...config,
    ...parts,
    passwords,
    passwordPolicy: createPasswordPolicy(config.passwordPolicy, logger),
    activity,
    isDraining: () => draining,
  });
  await app.listen({ port: config.port, host: config.host }).catch(async (error) => {
    await app.close();
    throw error;
  });
  const housekeeping = startHousekeeping(database, clock, logger);

  const stop = async () => {
    draining = true;
    const swept = housekeeping.close();
    await new Promise((resolve) => setTimeout(resolve, config.shutdownDelaySeconds * 1000));
    const isComplete = await drain(app.server, connections, () => app.close());
    await swept;
    await activity.close();
    await passwords.close();
    await database.close();
    return isComplete;
  };
  let stopping: Promise<boolean> | null = null;
  return {
    address: addressOf(app.server.address() as AddressInfo),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function secretKeyOf(config: Config, logger?: Logger): string {
  return config.secretKey ?? secretFile(config.dataDir, 'secret-key', logger).secret;
}

const SECRET_CHECK = 'secret_key_check';

/** What the database remembers of the secret: enough to recognise it, not to find it. */
function secretKeyCheck(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, 'check')).toString('hex');
}

/** Nodes with different secrets would refuse each other's cursors and retries: they do not start. */
async function checkSecretKey(database: Database, secretKey: string): Promise<void> {
  const own = secretKeyCheck(secretKey);
  if ((await claimSetting(database, SECRET_CHECK, own)) === own) return;
  throw new StartError(
    'SECRET_KEY is not the one that this database was set up with: nodes of one database share one SECRET_KEY. If the old one is lost, run: npm run cli -- accept-secret-key',
  );
}

/**
 * Makes the database remember the present secret in place of a lost one.
 * @throws SecretFileError, DatabaseTooNew, DatabaseUnavailable
 */
export async function acceptSecretKey(config: Config): Promise<void> {
  const check = secretKeyCheck(secretKeyOf(config));
  const database = openDatabase(config);
  try {
    await migrate(database);
    await database.transaction((tx) => writeSetting(tx, SECRET_CHECK, check));
  } finally {
    await database.close();
  }
}
