/** All settings: read from the environment and checked before anything starts. */
import { availableParallelism } from 'node:os';
import { mailSettings } from './config/mail.ts';
import { networks } from './config/networks.ts';
import { rateLimits } from './config/rate-limits.ts';
import { type Environment, Reader } from './config/reader.ts';
import { secret, secrets } from './config/secrets.ts';
import { databaseUrl, origins, publicUrl } from './config/urls.ts';
import { operatorEmail, webhookNetworks } from './config/webhooks.ts';
import type { MailSettings } from './features/mail/settings.ts';
import type { EffectiveSetting } from './features/operation/configuration/effective-setting.ts';
import { STORED_ADDRESSES, type StoredAddress } from './lib/network.ts';
import type { Limits } from './rate-limits/limits.ts';

export { ConfigError } from './config/reader.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `postgres://…`, or null for SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** Accepted administrator credentials, several during a rotation; null: kept in a file. */
  readonly adminTokens: readonly string[] | null;
  /** Key of cursors and fingerprints, the same on all nodes of a database; null: kept in a file. */
  readonly secretKey: string | null;
  readonly logLevel: LogLevel;
  /** URL that clients use, without a trailing slash; empty: links are relative. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** IP addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly limits: Limits;
  /** Mean delay of the event loop above which requests are rejected with 503; null: never. */
  readonly loadSheddingMs: number | null;
  readonly passwordPolicy: 'contract' | 'nist';
  readonly passwordPepper: string | null;
  readonly passwordThreads: number;
  readonly passwordQueue: number;
  /** Time for which a password waits for a thread at most. */
  readonly passwordMaxWaitMs: number;
  readonly registration: 'open' | 'closed';
  readonly usersCreate: 'open' | 'admin';
  /** Maximum number of unclaimed records of anonymous callers; null: no limit. */
  readonly maxUnclaimedUsers: number | null;
  /** Age at which housekeeping deletes them. */
  readonly unclaimedUsersDays: number;
  /** Age at which events are deleted. */
  readonly eventsDays: number;
  /** How precisely events keep the address of a client. */
  readonly eventsAddress: StoredAddress;
  readonly tokenLifetimeSeconds: number;
  /** Logins to accounts whose email is not verified are rejected. */
  readonly requireVerifiedEmail: boolean;
  /** Whether the administration console is served. */
  readonly console: boolean;
  readonly shutdownDelaySeconds: number;
  readonly mail: MailSettings;
  /** Gets messages about the service itself; null: they are logged only. */
  readonly operatorEmail: string | null;
  /** Addresses and networks that webhooks are delivered to besides public addresses. */
  readonly webhookAllow: readonly string[];
  /** All settings as they were read, shown to the administrator. */
  readonly settings: readonly EffectiveSetting[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** @throws ConfigError naming the first wrong variable */
export function readConfig(environment: Environment): Config {
  const read = new Reader(environment);
  return Object.freeze({
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', { fallback: 3000, min: 0, max: 65_535 }),
    dataDir: read.path('DATA_DIR', './data'),
    databaseUrl: databaseUrl(read, 'DATABASE_URL'),
    databasePool: read.integer('DATABASE_POOL', { fallback: 10, min: 1, max: 1_000 }),
    adminTokens: secrets(read, 'ADMIN_TOKEN'),
    secretKey: secret(read, 'SECRET_KEY'),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    publicUrl: publicUrl(read, 'PUBLIC_URL'),
    corsOrigins: origins(read, 'CORS_ORIGINS'),
    trustProxy: networks(read, 'TRUST_PROXY'),
    limits: rateLimits(read),
    loadSheddingMs: read.integerOrOff('LOAD_SHEDDING_MS', { fallback: 500, min: 10, max: 60_000 }),
    ...passwordSettings(read),
    ...accountSettings(read),
    mail: mailSettings(read),
    operatorEmail: operatorEmail(read, 'OPERATOR_EMAIL'),
    webhookAllow: webhookNetworks(read, 'WEBHOOK_ALLOW'),
    console: read.choice('CONSOLE', ['on', 'off'], 'on') === 'on',
    shutdownDelaySeconds: read.integer('SHUTDOWN_DELAY_SECONDS', { fallback: 0, min: 0, max: 300 }),
    // After all others have been read.
    settings: read.settings,
  });
}

function passwordSettings(read: Reader) {
  return {
    passwordPolicy: read.choice('PASSWORD_POLICY', ['contract', 'nist'], 'contract'),
    passwordPepper: read.secretText('PASSWORD_PEPPER'),
    passwordThreads: read.integer('PASSWORD_THREADS', { fallback: availableParallelism(), min: 1, max: 256 }),
    passwordQueue: read.integer('PASSWORD_QUEUE', { fallback: 100, min: 1, max: 100_000 }),
    passwordMaxWaitMs: read.integer('PASSWORD_MAX_WAIT_MS', { fallback: 2_000, min: 100, max: 60_000 }),
  } as const;
}

function accountSettings(read: Reader) {
  return {
    registration: read.choice('REGISTRATION', ['open', 'closed'], 'open'),
    usersCreate: read.choice('USERS_CREATE', ['open', 'admin'], 'open'),
    maxUnclaimedUsers: read.integerOrOff('MAX_UNCLAIMED_USERS', {
      fallback: 100_000,
      min: 1,
      max: 1_000_000_000,
    }),
    unclaimedUsersDays: read.integer('UNCLAIMED_USERS_DAYS', { fallback: 7, min: 1, max: 3_650 }),
    eventsDays: read.integer('EVENTS_DAYS', { fallback: 180, min: 1, max: 3_650 }),
    eventsAddress: read.choice('EVENTS_ADDRESS', STORED_ADDRESSES, 'prefix'),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_DAYS', { fallback: 30, min: 1, max: 3_650 }) * 86_400,
    requireVerifiedEmail: read.choice('REQUIRE_VERIFIED_EMAIL', ['true', 'false'], 'false') === 'true',
  } as const;
}
