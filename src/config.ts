/** The only reader of the environment: typed, checked and complete before anything starts. */

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Quota } from './http/rate-limits/gcra.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits } from './http/rate-limits/limits.ts';

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

/** A setting has a value that cannot be meant; the message is the one line that the operator needs. */
export class ConfigError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}`);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError naming the first wrong variable */
export function readConfig(environment: Environment): Config {
  const read = new Reader(environment);
  return Object.freeze({
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir: read.path('DATA_DIR', './data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePool: read.integer('DATABASE_POOL', 10, 1, 1_000),
    adminTokens: read.secrets('ADMIN_TOKEN'),
    secretKey: read.secret('SECRET_KEY'),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    publicUrl: read.url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? '',
    corsOrigins: read.origins('CORS_ORIGINS'),
    trustProxy: read.networks('TRUST_PROXY'),
    limits: read.limits(),
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

/** Long enough to be a secret: what `openssl rand -hex 16` gives. */
const SECRET_LENGTH = 32;

/** An empty variable counts as unset: that is how compose files and unit files pass "nothing". */
class Reader {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  list(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new ConfigError(name, `must be a whole number from ${least} to ${most}, not "${given}"`);
  }

  /** As `integer`, and null for `off`. */
  integerOrOff(name: string, fallback: number, least: number, most: number): number | null {
    return this.text(name) === 'off' ? null : this.integer(name, fallback, least, most);
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const given = this.text(name) ?? fallback;
    const choice = choices.find((candidate) => candidate === given);
    if (choice !== undefined) return choice;
    throw new ConfigError(name, `must be one of ${choices.join(', ')}, not "${given}"`);
  }

  path(name: string, fallback: string): string {
    return resolve(this.text(name) ?? fallback);
  }

  /** The value is not repeated in the message: it may hold a password. */
  url(name: string, protocols: readonly string[]): string | null {
    const given = this.text(name);
    if (given === null) return null;
    if (URL.canParse(given) && protocols.includes(new URL(given).protocol)) return given;
    throw new ConfigError(name, `must be a URL that starts with ${protocols[0]}//`);
  }

  origins(name: string): string[] {
    const origins = this.list(name);
    const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong === undefined) return origins;
    throw new ConfigError(name, `must list origins such as https://app.example.com, not "${wrong}"`);
  }

  /** Addresses, networks in CIDR notation, and the names that stand for usual networks. */
  networks(name: string): string[] {
    const networks = this.list(name);
    const wrong = networks.find((network) => !NAMED_NETWORKS.includes(network) && !isNetwork(network));
    if (wrong === undefined) return networks;
    throw new ConfigError(name, `must list addresses or networks such as 10.0.0.0/8, not "${wrong}"`);
  }

  secrets(name: string): string[] | null {
    const given = this.list(name);
    return given.length === 0 ? null : given.map((secret) => checkedSecret(name, secret));
  }

  secret(name: string): string | null {
    const given = this.text(name);
    return given === null ? null : checkedSecret(name, given);
  }

  limits(): Limits {
    const allOff = this.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'off';
    const entries = LIMIT_NAMES.map((name) => {
      const quota = this.quota(name);
      return [name, allOff ? null : quota];
    });
    return Object.freeze(Object.fromEntries(entries));
  }

  /** `quota/seconds`, or null for `off`. */
  quota(limit: LimitName): Quota | null {
    const name = `RATE_LIMIT_${limit.toUpperCase().replace('-', '_')}`;
    const given = this.text(name) ?? DEFAULT_LIMITS[limit];
    if (given === 'off') return null;
    const [, quota, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(given) ?? [];
    if (quota === undefined)
      throw new ConfigError(name, `must be quota/seconds such as 60/60, or off, not "${given}"`);
    return { name: limit, limit: Number(quota), windowSeconds: Number(seconds) };
  }
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function checkedSecret(name: string, secret: string): string {
  if (secret.length < SECRET_LENGTH) {
    throw new ConfigError(name, `must have at least ${SECRET_LENGTH} characters (openssl rand -hex 32)`);
  }
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new ConfigError(name, 'must be visible ASCII characters without spaces');
}
