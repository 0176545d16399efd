/** A real service on a database of its own, in this process, and a client that speaks HTTP to it. */
import { after, before } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { Clock, MonotonicClock } from '../../src/lib/clock.ts';
import { type Service, start } from '../../src/start.ts';
import { type Api, createApi } from './api.ts';
import { createTestDatabase, type Engine, type TestDatabase } from './engines.ts';

export const ADMIN_TOKEN = 'administrator-credential-of-the-tests';

export interface TestService {
  readonly api: Api;
  readonly service: Service;
  readonly testDatabase: TestDatabase;
  /** What the service logged, line by line, parsed. */
  readonly log: Record<string, unknown>[];
  /** Stops the service, and removes the database if it came with it. */
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** Environment variables on top of the defaults of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Without one, `clock` is used for both. */
  readonly monotonicClock?: MonotonicClock;
  /** Another node on a database that exists already; without it, a new one. */
  readonly testDatabase?: TestDatabase;
}

/** A service for all tests of a suite: starts before them, stops after them. Call it in the suite's body. */
export function useService(engine: Engine, options: TestServiceOptions = {}): TestService {
  const service = {} as TestService;
  before(async () => {
    Object.assign(service, await startService(engine, options));
  });
  after(() => service.stop());
  return service;
}

/** A service that the test itself stops: for tests about starting and stopping, and for further nodes. */
export async function startService(engine: Engine, options: TestServiceOptions = {}): Promise<TestService> {
  const testDatabase = options.testDatabase ?? (await createTestDatabase(engine));
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const config = readConfig(environmentOf(testDatabase, options.environment));
  const { clock, monotonicClock = clock } = options;
  const service = await start(config, logger, { clock, monotonicClock });
  const stop = async () => {
    await service.stop();
    if (options.testDatabase === undefined) await testDatabase.remove();
  };
  return { api: createApi(service.address), service, testDatabase, log, stop };
}

/** The environment of a service under test: also for those that run as a process of their own. */
export function environmentOf(
  { url, directory }: TestDatabase,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: directory,
    ...(url === null ? {} : { DATABASE_URL: url }),
    ADMIN_TOKEN,
    // Suites come from one address, and most are about something else.
    RATE_LIMITS: 'off',
    // On a busy machine the suite itself is what makes the loop late.
    LOAD_SHEDDING_MS: 'off',
    ...more,
  };
}

let people = 0;

/** A person that no other test knows. */
export function newPerson() {
  people++;
  const email = `person-${people}-${process.pid}@example.com`;
  return { name: `Person ${people}`, email, password: 'correct horse battery' };
}
