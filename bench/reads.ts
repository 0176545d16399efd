/** The four requests that most of the traffic consists of, each beside the same answer from bare Node. */
import { deepStrictEqual } from 'node:assert';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import { ADMIN_TOKEN, FORM, get, post } from './requests.ts';
import { inPairs, median, p50s, p99s, rates, ratios } from './rounds.ts';
import { populate, type Sample } from './seed.ts';
import { FLOOR, openStage, SERVICE, type Server, type Stage, serviceEnvironment } from './stage.ts';

const USERS = 1_000;
const CONNECTIONS = 48;
const MIN_RATIO = 0.7;

interface Read {
  readonly what: string;
  requests(sample: Sample): string[];
}

/** Different users and tokens in turn, so that nothing answers from the memory of the request before. */
export const reads: Readonly<Record<string, Read>> = {
  form: { what: 'form-field check', requests: () => [post('/api/v1/form-fields/validate', FORM)] },
  me: { what: 'me, by token', requests: ({ tokens }) => tokens.map((token) => get('/api/v1/me', token)) },
  list: { what: 'list of 20 users', requests: () => [get('/api/v1/users?limit=20', ADMIN_TOKEN)] },
  user: {
    what: 'one user, by id',
    requests: ({ ids }) => ids.map((id) => get(`/api/v1/users/${id}`, ADMIN_TOKEN)),
  },
};

export async function measureRead(name: string): Promise<Finding[]> {
  const [floor, service] = await inPairs(() => openPair(name));
  return [finding(name, floor, service)];
}

async function openPair(name: string) {
  const stage = openStage();
  const close = () => stage.close();
  try {
    const { floor, service, people } = await startBoth(stage);
    const requests = reads[name]!.requests(people);
    await expectSameAnswer(floor, service, requests[0]!);
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: true });
    const measure = (server: Server) => async (milliseconds: number) => {
      const { port } = server;
      const before = server.cpuMicroseconds();
      const outcome = await load({ port, requests, connections: CONNECTIONS, milliseconds, perSecond: null });
      const cpu = (server.cpuMicroseconds() - before) / outcome.requests;
      return { ...outcome, cpu, memory: server.memory() };
    };
    return { sides: [measure(floor), measure(service)], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Each on a copy of the same file. */
async function startBoth(stage: Stage) {
  const own = join(stage.directory, 'service');
  const other = join(stage.directory, 'floor');
  const people = await populate(own, USERS);
  const database = join(other, 'frontdesk.db');
  mkdirSync(other);
  copyFileSync(join(own, 'frontdesk.db'), database);
  const service = await stage.server(SERVICE, serviceEnvironment(own), { pinned: true });
  const floor = await stage.server(FLOOR, { DATABASE: database, ADMIN_TOKEN }, { pinned: true });
  return { floor, service, people };
}

/** A floor that answers something else would be no floor. Cursors are each side's own. */
async function expectSameAnswer(floor: Server, service: Server, request: string): Promise<void> {
  const [head = '', body] = request.split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = fields.map((field) => field.split(': ') as [string, string]);
  const ask = async ({ port }: Server) => {
    const init = { method: method!, headers, ...(body ? { body } : {}) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { next_cursor, ...rest } = (await response.json()) as Record<string, unknown>;
    return { status: response.status, ...rest };
  };
  deepStrictEqual(await ask(service), await ask(floor));
}

/**
 * With the processor time of the server per request in microseconds, which is less disturbed by other processes,
 * and what it holds afterwards in MB.
 */
type CostedOutcome = Outcome & { readonly cpu: number; readonly memory: number };

function finding(name: string, floor: readonly CostedOutcome[], service: readonly CostedOutcome[]): Finding {
  const perRound = ratios(rates(service), rates(floor));
  return {
    bench: name,
    what: reads[name]!.what,
    figures: {
      'floor/s': median(rates(floor)),
      'service/s': median(rates(service)),
      ratio: median(perRound),
      'per round': perRound,
      'floor cpu µs': median(floor.map(({ cpu }) => cpu)),
      'cpu µs': median(service.map(({ cpu }) => cpu)),
      'floor p50 ms': median(p50s(floor)),
      'p50 ms': median(p50s(service)),
      'floor p99 ms': median(p99s(floor)),
      'p99 ms': median(p99s(service)),
      'floor MB': median(floor.map(({ memory }) => memory)),
      MB: median(service.map(({ memory }) => memory)),
      'load busy': Math.max(...floor.map(({ busy }) => busy)),
    },
    target: { figure: 'ratio', atLeast: MIN_RATIO },
  };
}
