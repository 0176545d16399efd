/** Rate of deliveries on SQLite, and their cost for other requests, beside endpoints that are dead or slow. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import { ADMIN_TOKEN, fetchResponse, get, post } from '../load/requests.ts';
import { type Pace, QUICK_PACE } from '../load/rounds.ts';
import { populate } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from '../processes/stage.ts';
import type { ReceiverResult } from '../references/receiver.ts';

const USERS = 1_000;
const EVENTS = 20_000;
const QUICK_EVENTS = 4_000;
const MIN_PER_SECOND = 1_000;
const ME_PER_SECOND = 200;
const MAX_WAIT_MS = 60_000;
/** A port at which nothing listens. */
const DEAD = 'http://127.0.0.1:65001/';

/** Measures deliveries to one endpoint, alone and beside a dead and a slow one. */
export async function measureWebhooks(pace: Pace): Promise<Finding[]> {
  const events = pace === QUICK_PACE ? QUICK_EVENTS : EVENTS;
  return [
    await withStage((stage) => measure(stage, { what: 'one endpoint', others: () => [], events })),
    await withStage((stage) =>
      measure(stage, {
        what: 'beside a dead and a slow endpoint',
        others: (port) => [DEAD, `http://127.0.0.1:${port}/slow`],
        events,
      }),
    ),
  ];
}

interface DeliveryBench {
  readonly what: string;
  /** URLs of other endpoints. */
  others(port: number): readonly string[];
  readonly events: number;
}

async function measure(stage: Stage, { what, others, events }: DeliveryBench): Promise<Finding> {
  const dataDir = join(stage.directory, 'service');
  const { tokens } = await populate(dataDir, USERS);
  const receiver = stage.helper<object, ReceiverResult>('references/receiver.ts', ANY_CORE);
  const { port: receiverPort } = await receiver({});
  const environment = { ...createServiceEnvironment(dataDir), WEBHOOK_ALLOW: '127.0.0.1' };
  const first = await stage.server(SERVICE, environment, ANY_CORE);
  for (const url of [`http://127.0.0.1:${receiverPort}/`, ...others(receiverPort)])
    await createEndpoint(first.port, url);
  await first.stop();
  // While no service has the file.
  await insertEvents(dataDir, events);
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  const reading = stage.helper<ConstantRateJob, LoadResult>('load/constant-rate-load.ts', ANY_CORE);
  const requests = tokens.map((token) => get('/api/v1/me', token));
  const me = await reading({
    port,
    requests,
    connections: 16,
    milliseconds: 3_000,
    perSecond: ME_PER_SECOND,
  });
  const { received, seconds } = await waitForAll(receiver, events);
  const perSecond = received / seconds;
  const figures = { 'deliveries/s': perSecond, received, 'me p50 ms': me.p50, 'me p99 ms': me.p99 };
  const target = { figure: 'deliveries/s', atLeast: MIN_PER_SECOND };
  return { bench: 'webhooks', what: `${events.toLocaleString('en')} events, ${what}`, figures, target };
}

async function createEndpoint(port: number, url: string): Promise<void> {
  const request = post('/api/v1/webhooks', { url, types: ['password.changed'] });
  const headers = { ...request.headers, Authorization: `Bearer ${ADMIN_TOKEN}` };
  const response = await fetchResponse(port, { ...request, headers });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

const INSERT = sql(`
  with recursive n (i) as (select 1 union all select i + 1 from n where i < $1)
  insert into events (id, created_at, type, subject, actor, outcome, data)
  select 'ffffffff-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), $2, 'password.changed',
         'user:bench-' || (i % ${USERS}), 'system', 'success', '{}'
  from n`);

async function insertEvents(dataDir: string, count: number): Promise<void> {
  const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
  await database.transaction((tx) => tx.run(INSERT, count, Date.now()));
  await database.close();
}

/** Waits until all events were received, or the time is up. */
async function waitForAll(receiver: (job: object) => Promise<ReceiverResult>, count: number) {
  const end = performance.now() + MAX_WAIT_MS;
  let result = await receiver({});
  while (result.received < count && performance.now() < end) {
    await pause(100);
    result = await receiver({});
  }
  return result;
}
