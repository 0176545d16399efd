/** The only reader of the environment: typed, checked and complete before anything starts. */
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

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
  readonly trustProxy: readonly string[];
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
  const read = reader(environment);
  return Object.freeze({
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir: read.path('DATA_DIR', './data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePool: read.integer('DATABASE_POOL', 10, 1, 1_000),
    adminTokens: read.secrets('ADMIN_TOKEN'),
    secretKey: read.secrets('SECRET_KEY')?.[0] ?? null,
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    publicUrl: read.url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? '',
    corsOrigins: read.origins('CORS_ORIGINS'),
    trustProxy: read.list('TRUST_PROXY'),
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
function reader(environment: Environment) {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return {
    text,
    list,
    integer(name: string, fallback: number, least: number, most: number): number {
      const given = text(name);
      if (given === null) return fallback;
      const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= least && value <= most)) {
        throw new ConfigError(name, `must be a whole number from ${least} to ${most}, not "${given}"`);
      }
      return value;
    },
    choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
      const given = text(name) ?? fallback;
      const choice = choices.find((candidate) => candidate === given);
      if (choice === undefined)
        throw new ConfigError(name, `must be one of ${choices.join(', ')}, not "${given}"`);
      return choice;
    },
    path(name: string, fallback: string): string {
      const given = text(name) ?? fallback;
      return isAbsolute(given) ? given : resolve(given);
    },
    /** The value is not repeated in the message: it may hold a password. */
    url(name: string, protocols: readonly string[]): string | null {
      const given = text(name);
      if (given === null) return null;
      if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol)) {
        throw new ConfigError(name, `must be a URL that starts with ${protocols[0]}//`);
      }
      return given;
    },
    origins(name: string): string[] {
      return list(name).map((origin) => {
        if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
          throw new ConfigError(name, `must list origins such as https://app.example.com, not "${origin}"`);
        }
        return origin;
      });
    },
    secrets(name: string): string[] | null {
      const given = list(name);
      if (given.length === 0) return null;
      if (given.some((secret) => secret.length < SECRET_LENGTH)) {
        throw new ConfigError(name, `must have at least ${SECRET_LENGTH} characters (openssl rand -hex 32)`);
      }
      if (given.some((secret) => !/^[\x21-\x7e]+$/.test(secret))) {
        throw new ConfigError(name, 'must be visible ASCII characters without spaces');
      }
      return given;
    },
  };
}
