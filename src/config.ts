/** The only reader of the environment: typed, checked and complete before anything starts. */

import { availableParallelism } from 'node:os';
import { networks } from './config/networks.ts';
import { rateLimits } from './config/rate-limits.ts';
import { type Environment, Reader } from './config/reader.ts';
import { secret, secrets } from './config/secrets.ts';
import { databaseUrl, origins, publicUrl } from './config/urls.ts';
import type { Limits } from './http/rate-limits/limits.ts';

export { ConfigError } from './config/reader.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `postgres://…`, or null for SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** Accepted administrator credentials (several while one is being rotated); null: kept in a file. */
  readonly adminTokens: readonly string[] | null;
  /** Key of cursors and fingerprints, the same on all nodes of one database; null: kept in a file. */
  readonly secretKey: string | null;
  readonly logLevel: LogLevel;
  /** The address that clients use, without a closing slash; empty: links are relative. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  readonly limits: Limits;
  /** Mean delay of the event loop from which on requests are turned away; null: never. */
  readonly loadSheddingMs: number | null;
  readonly passwordPolicy: 'contract' | 'nist';
  readonly passwordPepper: string | null;
  readonly passwordThreads: number;
  readonly passwordQueue: number;
  readonly registration: 'open' | 'closed';
  readonly usersCreate: 'open' | 'admin';
  readonly tokenLifetimeSeconds: number;
  readonly shutdownDelaySeconds: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** @throws ConfigError naming the first wrong variable */
export function readConfig(environment: Environment): Config {
  const read = new Reader(environment);
  return Object.freeze({
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir: read.path('DATA_DIR', './data'),
    databaseUrl: databaseUrl(read, 'DATABASE_URL'),
    databasePool: read.integer('DATABASE_POOL', 10, 1, 1_000),
    adminTokens: secrets(read, 'ADMIN_TOKEN'),
    secretKey: secret(read, 'SECRET_KEY'),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    publicUrl: publicUrl(read, 'PUBLIC_URL'),
    corsOrigins: origins(read, 'CORS_ORIGINS'),
    trustProxy: networks(read, 'TRUST_PROXY'),
    limits: rateLimits(read),
    loadSheddingMs: read.integerOrOff('LOAD_SHEDDING_MS', 500, 10, 60_000),
    passwordPolicy: read.choice('PASSWORD_POLICY', ['contract', 'nist'], 'contract'),
    passwordPepper: read.text('PASSWORD_PEPPER'),
    passwordThreads: read.integer('PASSWORD_THREADS', availableParallelism(), 1, 256),
    passwordQueue: read.integer('PASSWORD_QUEUE', 100, 1, 100_000),
    registration: read.choice('REGISTRATION', ['open', 'closed'], 'open'),
    usersCreate: read.choice('USERS_CREATE', ['open', 'admin'], 'open'),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_DAYS', 30, 1, 3_650) * 86_400,
    shutdownDelaySeconds: read.integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 300),
  });
}
