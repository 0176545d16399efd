/** Latency of other requests during those of a user with a million security events, on both engines. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { sendAtConstantRate, type TimedResponse } from '../load/constant-rate.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, type BenchRequest, fetchResponse, get, PASSWORD } from '../load/requests.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import { createEmail, populate, type Sample } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from '../processes/stage.ts';

const EVENTS = 1_000_000;
const EVENTS_PER_STATEMENT = 50_000;
const EVENT_INTERVAL_MS = 80;
const USERS = 400;
const PROBES_PER_SECOND = 200;
const OTHERS_PER_SECOND = 20;
const SLICE_MS = 500;
/** Longer than the pause after which a queued message is delivered. */
const AFTER_MS = 2_500;
const MAX_STOP_MS = 50;
const MAX_OTHER_MS = 200;

/** Measures the three requests that read or delete all events of a user. */
export async function measureEventFlood(): Promise<Finding[]> {
  const sqlite = await withStage(async (stage) => {
    const dataDir = join(stage.directory, 'service');
    const sample = await populate(dataDir, USERS);
    return measure(stage, { engine: 'SQLite', databaseUrl: null, dataDir, sample });
  });
  const postgres = await withStage(async (stage) => {
    const start = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url: databaseUrl, sample } = await start({ users: USERS, tokens: USERS });
    const dataDir = join(stage.directory, 'service');
    return measure(stage, { engine: 'PostgreSQL', databaseUrl, dataDir, sample });
  });
  return [...sqlite, ...postgres];
}

interface FloodedDatabase {
  readonly engine: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly sample: Sample;
}

async function measure(stage: Stage, flooded: FloodedDatabase): Promise<Finding[]> {
  const { engine, databaseUrl, dataDir, sample } = flooded;
  await insertEvents(flooded);
  const environment = {
    ...createServiceEnvironment(dataDir),
    MAIL_TO_LOG: 'true',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  const others = createOtherRequests(sample);
  const findings: Finding[] = [];
  // Code and statements are compiled first.
  await measureOthersDuring({ port, others }, () => pause(AFTER_MS));
  for (const { name, request } of createAttackerRequests(sample.tokens[0]!)) {
    const result = await measureOthersDuring({ port, others }, () => send(port, request));
    findings.push(...toFindings(`${engine}: ${name}`, result));
  }
  return findings;
}

const INSERT_EVENTS = sql(`
  with recursive n (i) as (select cast($1 as bigint) union all select i + 1 from n where i < $2)
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, data, device)
  select '01900000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2),
         cast($4 as bigint) + i * ${EVENT_INTERVAL_MS}, 'token.rotated', 'user:' || $3, 'user', $3, 'success', '{}',
         '{"salt":"x","value":"Firefox"}'
  from n`);

/** Inserts as many events of the first user as rotations of tokens could once cause in a day. */
async function insertEvents({ databaseUrl, dataDir, sample }: FloodedDatabase): Promise<void> {
  const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
  const firstTime = Date.now() - EVENTS * EVENT_INTERVAL_MS;
  for (let from = 1; from <= EVENTS; from += EVENTS_PER_STATEMENT) {
    const values = [from, from + EVENTS_PER_STATEMENT - 1, sample.ids[0]!, firstTime];
    await database.transaction((tx) => tx.run(INSERT_EVENTS, ...values));
  }
  await database.close();
}

function createAttackerRequests(token: string): { name: string; request: BenchRequest }[] {
  const headers = { 'Content-Type': 'application/json' };
  const own = { ...headers, Authorization: `Bearer ${token}` };
  const email = JSON.stringify({ email: createEmail(0) });
  const change = JSON.stringify({ email: 'another@example.com', current_password: PASSWORD });
  const erasure = JSON.stringify({ current_password: PASSWORD });
  return [
    {
      name: 'POST /password-resets',
      request: { method: 'POST', path: '/api/v1/password-resets', headers, body: email },
    },
    { name: 'PATCH /me', request: { method: 'PATCH', path: '/api/v1/me', headers: own, body: change } },
    { name: 'DELETE /me', request: { method: 'DELETE', path: '/api/v1/me', headers: own, body: erasure } },
  ];
}

/** Reads, writes, and erasures, which need the lock on activity. Each user is erased once. */
function* createOtherRequests({ ids, tokens }: Sample): Generator<BenchRequest, never> {
  const [reader, writer, ...erased] = ids.map((id, index) => ({ id, token: tokens[index]! })).slice(1);
  const write = (number: number): BenchRequest => ({
    method: 'PATCH',
    path: '/api/v1/me',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${writer!.token}` },
    body: JSON.stringify({ name: `Person ${number}` }),
  });
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  for (let number = 0; ; number++) {
    yield get('/api/v1/me', reader!.token);
    yield write(number);
    const user = number % 4 === 0 ? erased.pop() : undefined;
    if (user !== undefined) yield { method: 'DELETE', path: `/api/v1/users/${user.id}`, headers };
  }
}

interface OtherRequests {
  readonly port: number;
  readonly others: Generator<BenchRequest, never>;
}

interface FloodResult {
  readonly milliseconds: number;
  readonly probes: readonly TimedResponse[];
  readonly others: readonly TimedResponse[];
}

/** Sends other requests while `work` runs, and until its effects on the mail queue are over. */
async function measureOthersDuring(
  { port, others }: OtherRequests,
  work: () => Promise<void>,
): Promise<FloodResult> {
  let isOver = false;
  const common = { port, connections: 32, milliseconds: SLICE_MS };
  const repeat = async (send: () => Promise<TimedResponse[]>) => {
    const responses: TimedResponse[] = [];
    while (!isOver) responses.push(...(await send()));
    return responses;
  };
  const probing = repeat(() =>
    sendAtConstantRate({ ...common, requests: [get('/livez')], perSecond: PROBES_PER_SECOND }),
  );
  const working = repeat(() => {
    const requests = Array.from(
      { length: (SLICE_MS / 1_000) * OTHERS_PER_SECOND },
      () => others.next().value,
    );
    return sendAtConstantRate({ ...common, requests, perSecond: OTHERS_PER_SECOND });
  });
  const began = performance.now();
  await work();
  const milliseconds = performance.now() - began;
  await pause(AFTER_MS);
  isOver = true;
  return { milliseconds, probes: await probing, others: await working };
}

async function send(port: number, request: BenchRequest): Promise<void> {
  const response = await fetchResponse(port, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${request.path}: ${response.status} ${text}`);
}

function toFindings(what: string, { milliseconds, probes, others }: FloodResult): Finding[] {
  const slowest = (responses: readonly TimedResponse[]) =>
    Math.max(...responses.map(({ milliseconds: each }) => each));
  const failed = others.filter(({ status }) => status < 200 || status > 299).length;
  const figures = {
    'took ms': milliseconds,
    'longest stop ms': slowest(probes),
    'slowest other ms': slowest(others),
    'failed others': failed,
  };
  const bench = 'event-flood';
  return [
    { bench, what, figures, target: { figure: 'longest stop ms', atMost: MAX_STOP_MS } },
    { bench, what, figures, target: { figure: 'slowest other ms', atMost: MAX_OTHER_MS } },
  ];
}
