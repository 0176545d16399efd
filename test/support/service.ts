/** Starts the service in this process, on its own database, with an HTTP client. */
import { after, before } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { createLog } from '../../src/lib/log/log.ts';
import {
  formatPrefix,
  PARAMETERS,
  type PasswordParameters,
} from '../../src/lib/passwords/password-parameters.ts';
import hashNow from '../../src/lib/passwords/password-worker.ts';
import type { HashingPool } from '../../src/lib/passwords/passwords.ts';
import { type Clock, MINUTE, type MonotonicClock } from '../../src/lib/time.ts';
import { type Service, start } from '../../src/startup/start.ts';
import { type Api, createApi } from './api.ts';
import { toEnvironment } from './environment.ts';
import { createCurrentDatabase, type Engine, type TestDatabase, withStoppedClock } from './runner/engines.ts';

/** With those of production, hashes would be most of the work of the suite. */
export const CHEAP_PARAMETERS: PasswordParameters = { ...PARAMETERS, memoryCost: 64, timeCost: 1 };

// Fastify looks for plugins without this name among all loaded modules, which are many in a process of tests.
Object.assign(Function.prototype, { [Symbol.for('fastify.display-name')]: 'a plugin of the service' });

/**
 * Hashes in this process: a thread of each service under test would take longer to start than its cheap hashes. Other
 * requests are processed before and after, as beside threads.
 */
export const NO_THREADS: HashingPool = {
  async run(task) {
    await nextTurn();
    const result = hashNow(task);
    await nextTurn();
    return result;
  },
  close: async () => {},
};
/** Returns a pool that computes each hash after `wait`: for what happens before. */
export function hashAfter(wait: () => Promise<void>): HashingPool {
  return { ...NO_THREADS, run: (task) => wait().then(() => NO_THREADS.run(task)) };
}
/** Options of a service whose hashes cost as much as in production, in threads: for what happens while they are computed. */
export const PRODUCTION_HASHES = { passwordParameters: PARAMETERS };
/** Start of the hashes of a service under test. */
export const CHEAP_PREFIX = formatPrefix(CHEAP_PARAMETERS);

export { ADMIN_TOKEN, admin, editor, newUserData, toEnvironment } from './environment.ts';

export interface TestService {
  readonly api: Api;
  readonly service: Service;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  /** Parsed log lines of the service. */
  readonly log: Record<string, unknown>[];
  /** Stops the service, and removes the database unless it was passed in. */
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** Environment variables that replace the defaults of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Rate limits never restore a request: on PostgreSQL, they follow the clock of the server. */
  readonly stopsServerClock?: boolean;
  /** Without one, `clock` is used for both. */
  readonly monotonicClock?: MonotonicClock;
  /** Parameters of new password hashes, in threads; without them, those of CHEAP_PARAMETERS, without threads. */
  readonly passwordParameters?: PasswordParameters;
  /** Replaces NO_THREADS. */
  readonly hashingPool?: HashingPool;
  /** Milliseconds between two authentications of a stream. */
  readonly streamCheckMs?: number;
  /** Whether requests delay the event loop. */
  readonly isOverloaded?: () => boolean;
  /** An existing database, for another node; without it, a new one. */
  readonly testDatabase?: TestDatabase;
}

/** Returns a service that starts later: `api` and `database` are the same objects before and after, and can be taken out. */
function createUnstarted(): TestService {
  return { api: {}, database: {} } as TestService;
}

function fill(unstarted: TestService, { api, database, ...started }: TestService): void {
  Object.assign(unstarted.api, api);
  Object.assign(unstarted.database, database);
  Object.assign(unstarted, started);
}

/** Starts a service before the tests of a suite and stops it after them. Call it in the body of the suite. */
export function useService(engine: Engine, options: TestServiceOptions = {}): TestService {
  const service = createUnstarted();
  before(async () => fill(service, await startService(engine, options)));
  after(() => service.stop());
  return service;
}

/** Starts two services on one PostgreSQL database before the tests of a suite and stops them after them. */
export function useNodes(options: TestServiceOptions = {}): readonly [TestService, TestService] {
  const nodes = [createUnstarted(), createUnstarted()] as const;
  before(async () => {
    const testDatabase = await createCurrentDatabase('postgres');
    for (const node of nodes) fill(node, await startService('postgres', { ...options, testDatabase }));
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await nodes[0].testDatabase.remove();
  });
  return nodes;
}

interface SharedService {
  /** Suites that have not ended yet. */
  suites: number;
  started: Promise<TestService> | null;
}

const shared = new Map<Engine, SharedService>();

/**
 * Like `useService`, with default options and one service for all suites of the process: for suites that create their
 * own users, and neither count nor change what others create.
 */
export function useSharedService(engine: Engine): TestService {
  const service = createUnstarted();
  const one = shared.get(engine) ?? { suites: 0, started: null };
  shared.set(engine, one);
  one.suites++;
  before(async () => {
    one.started ??= startService(engine);
    fill(service, await one.started);
  });
  after(async () => {
    one.suites--;
    if (one.suites > 0) return;
    const ended = await one.started;
    one.started = null;
    await ended?.stop();
  });
  return service;
}

/** Starts a service, and stops it after the test. */
export async function openService(
  context: { after(work: () => Promise<void>): void },
  engine: Engine,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const service = await startService(engine, options);
  context.after(service.stop);
  return service;
}

/** Starts a service that the test stops: for tests of starting and stopping, and for further nodes. */
export async function startService(engine: Engine, options: TestServiceOptions = {}): Promise<TestService> {
  const created = options.testDatabase ?? (await createCurrentDatabase(engine));
  const testDatabase = options.stopsServerClock ? withStoppedClock(created) : created;
  const log: Record<string, unknown>[] = [];
  const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
  const config = readConfig(toEnvironment(testDatabase, options.environment));
  const { clock, monotonicClock = clock, passwordParameters } = options;
  // No housekeeping in between: tests store rows that are long expired.
  const schedule = () => () => {};
  const service = await start(config, logger, {
    clock,
    monotonicClock,
    schedule,
    passwordParameters: passwordParameters ?? CHEAP_PARAMETERS,
    hashingPool: options.hashingPool ?? (passwordParameters === undefined ? NO_THREADS : undefined),
    streamCheckMs: options.streamCheckMs,
    // On a busy machine, a reader would not see what was written just before.
    maxFlushMs: MINUTE,
    isOverloaded: options.isOverloaded,
  });
  const stop = async () => {
    await service.stop();
    if (options.testDatabase === undefined) await testDatabase.remove();
  };
  return { api: createApi(service.url), service, database: service.database, testDatabase, log, stop };
}
