/** Rate and latency of deliveries on SQLite, and of other requests, beside endpoints that are dead or slow. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Tally } from '../load/constant-rate-tally.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { get, post } from '../load/requests.ts';
import { type Pace, QUICK_PACE } from '../load/rounds.ts';
import { median, ratios } from '../load/statistics.ts';
import { createChange, createEndpoint, setEnabled } from '../load/webhook-requests.ts';
import { observeNumbering } from '../processes/numbering-times.ts';
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
const MIN_PER_SECOND = 1_000;
const MAX_DELIVERY_RATIO = 1.1;
const MAX_ME_RATIO = 1.2;
const ME_PER_SECOND = 200;
/** Changes of names, of which each is an event. */
const CHANGES_PER_SECOND = 100;
const FLOOR_MS = 1_000;
const WARM_UP_EVENTS = 1_000;
const MAX_WAIT_MS = 60_000;

interface WebhookPace {
  readonly rounds: number;
  /** Events of a burst. */
  readonly events: number;
  /** Duration of the requests at a constant rate. */
  readonly milliseconds: number;
}

const FULL: WebhookPace = { rounds: 7, events: 5_000, milliseconds: 6_000 };
const QUICK: WebhookPace = { rounds: 2, events: 2_000, milliseconds: 3_000 };

const SIDES = ['alone', 'beside an endpoint that hangs', 'beside one that responds after 1 s'] as const;

interface Round {
  readonly floorPerSecond: number;
  readonly perSecond: number;
  /** 99th percentile of the milliseconds from the number of an event to its receipt. */
  readonly deliveryP99: number;
  readonly mePerSecond: number;
  readonly meP50: number;
  readonly meP99: number;
}

/** Measures deliveries to one endpoint, alone and beside another one, in turn. */
export function measureWebhooks(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const given = pace === QUICK_PACE ? QUICK : FULL;
    const bench = await openBench(stage, given);
    const results: Round[][] = SIDES.map(() => []);
    for (let round = 0; round < given.rounds; round++) {
      for (const side of SIDES.keys()) results[side]!.push(await bench.measure(side));
    }
    await bench.close();
    return toFindings(given, results);
  });
}

function toFindings({ events }: WebhookPace, results: readonly (readonly Round[])[]): Finding[] {
  const get = (side: number, name: keyof Round) => results[side]!.map((round) => round[name]);
  const rates = SIDES.map((what, side): Finding => {
    const figures = {
      'deliveries/s': median(get(side, 'perSecond')),
      'per round': get(side, 'perSecond'),
      'floor/s': median(get(side, 'floorPerSecond')),
    };
    const target = { figure: 'deliveries/s', atLeast: MIN_PER_SECOND };
    return { bench: 'webhooks', what: `${events.toLocaleString('en')} events, ${what}`, figures, target };
  });
  const latency = (name: 'deliveryP99' | 'meP99', what: string, maxRatio: number) =>
    SIDES.map((beside, side): Finding => {
      const perRound = ratios(get(side, name), get(0, name));
      const figures = {
        'p99 ms': median(get(side, name)),
        'per round ms': get(side, name),
        'p99 ratio': median(perRound),
        'per round': perRound,
      };
      const target = side === 0 ? null : { figure: 'p99 ratio', atMost: maxRatio };
      return { bench: 'webhooks', what: `${what}, ${beside}`, figures, target };
    });
  return [
    ...rates,
    ...latency('deliveryP99', 'deliveries', MAX_DELIVERY_RATIO),
    ...latency('meP99', 'me', MAX_ME_RATIO),
  ];
}

interface WebhookBench {
  measure(side: number): Promise<Round>;
  close(): Promise<void>;
}

async function openBench(stage: Stage, pace: WebhookPace): Promise<WebhookBench> {
  const parts = await startParts(stage);
  const { port, receiverPort, floor, database } = parts;
  const urlFor = (path: string) => `http://127.0.0.1:${receiverPort}${path}`;
  await createEndpoint(port, urlFor('/'));
  const others = [await createEndpoint(port, urlFor('/hang')), await createEndpoint(port, urlFor('/slow'))];
  for (const id of others) await setEnabled(port, id, false);
  await measureBurst(parts, WARM_UP_EVENTS);
  const load = { port: receiverPort, requests: [post('/', {})], connections: 4, milliseconds: FLOOR_MS };
  return {
    async measure(side) {
      const { perSecond: floorPerSecond } = await floor(load);
      for (const [index, id] of others.entries()) await setEnabled(port, id, index === side - 1);
      const perSecond = await measureBurst(parts, pace.events);
      return { floorPerSecond, perSecond, ...(await measureLatencies(parts, pace.milliseconds)) };
    },
    close: () => database.close(),
  };
}

interface Parts {
  readonly port: number;
  readonly receiverPort: number;
  readonly tokens: readonly string[];
  readonly receiver: Helper<object, ReceiverResult>;
  readonly floor: Helper<Job, LoadResult>;
  readonly reading: Helper<ConstantRateJob, Tally>;
  readonly changing: Helper<ConstantRateJob, Tally>;
  /** The file of the service, which another process can read and write for a moment. */
  readonly database: Database;
  /** Returns another number for each call. */
  count(): number;
}

async function startParts(stage: Stage): Promise<Parts> {
  const dataDir = join(stage.directory, 'service');
  const { tokens } = await populate(dataDir, USERS);
  const receiver = stage.helper<object, ReceiverResult>('references/receiver.ts', ANY_CORE);
  const { port: receiverPort } = await receiver({});
  const environment = { ...createServiceEnvironment(dataDir), WEBHOOK_ALLOW: '127.0.0.1' };
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  let counted = 0;
  return {
    port,
    receiverPort,
    tokens,
    receiver,
    floor: stage.helper('load/load.ts', ANY_CORE),
    reading: stage.helper('load/constant-rate-tally.ts', ANY_CORE),
    changing: stage.helper('load/constant-rate-tally.ts', ANY_CORE),
    database: openDatabase({ databaseUrl: null, dataDir, databasePool: 1 }),
    count: () => ++counted,
  };
}

/** Returns the deliveries per second of events that are recorded at once. */
async function measureBurst({ database, receiver, count }: Parts, events: number): Promise<number> {
  await insertEvents(database, count(), events);
  const times = [...(await waitForReceipts(receiver, events)).values()].sort((a, b) => a - b);
  return times.length / ((times.at(-1)! - times[0]!) / 1_000);
}

async function measureLatencies(parts: Parts, milliseconds: number) {
  const { port, tokens, receiver, reading, changing, database, count } = parts;
  const stopObserving = await observeNumbering(database);
  const name = `Bench ${count()}`;
  const rate = { port, connections: 16, milliseconds };
  const requests = tokens.map((token) => get('/api/v1/me', token));
  const changes = tokens.map((token) => createChange(token, name));
  const [me, changed] = await Promise.all([
    reading({ ...rate, requests, perSecond: ME_PER_SECOND }),
    changing({ ...rate, requests: changes, perSecond: CHANGES_PER_SECOND }),
  ]);
  const receipts = await waitForReceipts(receiver, changed.statuses[200] ?? 0);
  const numbered = await stopObserving();
  const latencies = [...receipts].flatMap(([id, at]) => {
    const since = numbered.get(id);
    return since === undefined ? [] : [Math.max(at - since, 0)];
  });
  const mePerSecond = (me.statuses[200] ?? 0) / (milliseconds / 1_000);
  return { deliveryP99: getQuantile(latencies, 0.99), mePerSecond, meP50: me.p50, meP99: me.p99 };
}

function getQuantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

const INSERT = sql(`
  with recursive n (i) as (select 1 union all select i + 1 from n where i < $1)
  insert into events (id, created_at, type, subject, actor, outcome, data)
  select $3 || substr(cast(1000000000000 + i as text), 2), $2, 'password.changed',
         'user:bench-' || (i % ${USERS}), 'system', 'success', '{}'
  from n`);

async function insertEvents(database: Database, round: number, count: number): Promise<void> {
  const prefix = `ffffffff-${String(round).padStart(8, '0').slice(0, 4)}-7${String(round).padStart(3, '0')}-8000-`;
  await database.transaction((tx) => tx.run(INSERT, count, Date.now(), prefix));
}

/** Waits until so many events were received, or the time is up. */
async function waitForReceipts(receiver: (job: object) => Promise<ReceiverResult>, count: number) {
  const end = performance.now() + MAX_WAIT_MS;
  const receipts = new Map<string, number>();
  for (;;) {
    for (const [id, at] of (await receiver({})).receipts) receipts.set(id, at);
    if (receipts.size >= count) return receipts;
    if (performance.now() > end) throw new Error(`${receipts.size} of ${count} events were received`);
    await pause(100);
  }
}
