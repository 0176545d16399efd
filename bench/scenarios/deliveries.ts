/** Deliveries per second to one endpoint, alone and beside endpoints that hang or are slow. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import { administer, post } from '../load/requests.ts';
import { QUICK_PACE } from '../load/rounds.ts';
import { median } from '../load/statistics.ts';
import { populate } from '../processes/seed.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  type Helper,
  SERVICE,
  type Stage,
  withStage,
} from '../processes/stage.ts';
import type { ReceiverResult } from '../references/receiver.ts';

const USERS = 1_000;
/** Events of a burst. */
const EVENTS = 2_000;
const MIN_PER_SECOND = 200;
const MAX_WAIT_MS = 60_000;
const SIDES = ['alone', 'beside an endpoint that hangs', 'beside one that responds after 1 s'] as const;

/** Measures bursts of events in turn: the events of a burst are recorded at once, and each is delivered. */
export function measureDeliveries({ pace }: BenchOptions): Promise<Finding[]> {
  const rounds = pace === QUICK_PACE ? 2 : 5;
  return withStage(async (stage) => {
    const measure = await openBench(stage);
    const results = SIDES.map(() => [] as number[]);
    await measure(0);
    for (let round = 0; round < rounds; round++) {
      for (const side of SIDES.keys()) results[side]!.push(await measure(side));
    }
    return results.map((rates, side) => ({
      bench: 'deliveries',
      what: `${EVENTS} events, ${SIDES[side]}`,
      figures: { 'deliveries/s': median(rates), 'per round': rates },
      target: { figure: 'deliveries/s', atLeast: MIN_PER_SECOND },
    }));
  });
}

/** Returns a function that measures one burst. */
async function openBench(stage: Stage) {
  const dataDir = join(stage.directory, 'service');
  await populate(dataDir, USERS);
  const receiver = stage.helper<object, ReceiverResult>('references/receiver.ts', ANY_CORE);
  const { port: receiverPort } = await receiver({});
  const environment = {
    ...createServiceEnvironment(dataDir),
    WEBHOOK_ALLOW: '127.0.0.1',
    LOAD_SHEDDING_MS: 'off',
  };
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  const create = (path: string) => createEndpoint(port, `http://127.0.0.1:${receiverPort}${path}`);
  await create('/');
  const others = [await create('/hang'), await create('/slow')];
  let burst = 0;
  return async (side: number) => {
    for (const [index, id] of others.entries()) await setEnabled(port, id, index === side - 1);
    await insertEvents(dataDir, ++burst);
    const times = await waitForReceipts(receiver);
    return times.length / ((times.at(-1)! - times[0]!) / 1_000);
  };
}

async function createEndpoint(port: number, url: string): Promise<string> {
  const request = post('/api/v1/webhooks', { url, types: ['password.changed'] });
  return (await administer<{ readonly id: string }>(port, request)).id;
}

async function setEnabled(port: number, id: string, enabled: boolean): Promise<void> {
  const request = post(`/api/v1/webhooks/${id}`, { enabled });
  await administer(port, { ...request, method: 'PATCH', headers: { ...request.headers, 'If-Match': '*' } });
}

const INSERT = sql(`
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
  insert into events (id, created_at, type, subject, actor, outcome, data)
  select $2 || substr(cast(1000000000000 + i as text), 2), $1, 'password.changed',
         'user:bench-' || (i % ${USERS}), 'system', 'success', '{}'
  from n`);

/** Inserts into the file of the running service. */
async function insertEvents(dataDir: string, burst: number): Promise<void> {
  const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
  const prefix = `ffffffff-0000-7${String(burst).padStart(3, '0')}-8000-`;
  await database.transaction((tx) => tx.run(INSERT, Date.now(), prefix));
  await database.close();
}

/** Returns the times at which the events of a burst were received. @throws when the time is up before */
async function waitForReceipts(receiver: Helper<object, ReceiverResult>): Promise<number[]> {
  const end = performance.now() + MAX_WAIT_MS;
  const receipts = new Map<string, number>();
  while (receipts.size < EVENTS) {
    if (performance.now() > end) throw new Error(`${receipts.size} of ${EVENTS} events were received`);
    await pause(100);
    for (const [id, at] of (await receiver({})).receipts) receipts.set(id, at);
  }
  return [...receipts.values()].sort((a, b) => a - b);
}
