/** Cost of the events that requests cause: compared to the same service that records none, or does not number them. */
import { join } from 'node:path';
import type { CostedResult } from '../../load/comparison.ts';
import type { Finding } from '../../load/findings.ts';
import type { LoadResult } from '../../load/jobs.ts';
import type { Job } from '../../load/load.ts';
import { type BenchRequest, createRegistrations, PASSWORD, post } from '../../load/requests.ts';
import { type Measure, measureInTurn, type Pace } from '../../load/rounds.ts';
import { median, rates, ratios } from '../../load/statistics.ts';
import { createEmail, populate, type Sample } from '../../processes/seed.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  SERVICE,
  type Server,
  type Stage,
  withStage,
} from '../../processes/stage.ts';

const USERS = 5_000;
const CONCURRENCY = 32;
/** Each request of a user has another name, so that each is a change. */
const NAMES = 12;
const MAX_RATIO = 1.05;

/** No rejections: a response other than 2xx ends the run, also on a machine that has other work. */
const PATIENCE = { LOAD_SHEDDING_MS: 'off', PASSWORD_MAX_WAIT_MS: '60000' };

const preload = (name: string) => [
  process.execPath,
  '--import',
  `./bench/references/no-events/${name}.ts`,
  'src/main.ts',
];
const SIDES: readonly (readonly string[])[] = [
  preload('without-recording'),
  preload('without-numbering'),
  SERVICE,
];

interface Operation {
  readonly what: string;
  /** Whether the bar is for this operation. Others show the cost beside less work. */
  readonly hasTarget: boolean;
  /** Returns a function that creates the requests of a round. */
  prepare(sample: Sample): () => readonly BenchRequest[];
}

const OPERATIONS: readonly Operation[] = [
  {
    what: 'login',
    hasTarget: true,
    prepare: () => {
      const logins = Array.from({ length: USERS }, (_, number) =>
        post('/api/login', { email: createEmail(number), password: PASSWORD }),
      );
      return () => logins;
    },
  },
  { what: 'registration', hasTarget: true, prepare: () => createRegistrations() },
  {
    what: 'change of the own name',
    hasTarget: false,
    prepare: ({ tokens }) => {
      const changes = Array.from({ length: NAMES }, (_, name) =>
        tokens.map((token) => createChange(token, `Name ${name}`)),
      ).flat();
      return () => changes;
    },
  },
];

function createChange(token: string, name: string): BenchRequest {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  return { method: 'PATCH', path: '/api/v1/me', headers, body: JSON.stringify({ name }) };
}

/** Measures what a login, a registration and a change of a name cost more by their events and the numbers of these. */
export function measureEventsCost(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const services = await startServices(stage);
    const load = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
    const findings: Finding[] = [];
    for (const operation of OPERATIONS) {
      const sides = services.map(({ server, sample }): Measure<CostedResult> => {
        const requests = operation.prepare(sample);
        return async (milliseconds) => {
          const before = server.cpuMicroseconds();
          const job = { port: server.port, requests: requests(), connections: CONCURRENCY, milliseconds };
          const result = await load(job);
          const cpu = (server.cpuMicroseconds() - before) / result.requests;
          return { ...result, cpu, memory: server.memory() };
        };
      });
      findings.push(...toFindings(operation, await measureInTurn(sides, pace.long)));
    }
    return findings;
  });
}

interface StartedService {
  readonly server: Server;
  readonly sample: Sample;
}

async function startServices(stage: Stage): Promise<StartedService[]> {
  const services: StartedService[] = [];
  for (const [side, command] of SIDES.entries()) {
    const directory = join(stage.directory, `service-${side}`);
    const sample = await populate(directory, USERS);
    services.push({
      server: await stage.server(command, { ...createServiceEnvironment(directory), ...PATIENCE }, ANY_CORE),
      sample,
    });
  }
  return services;
}

function toFindings({ what, hasTarget }: Operation, results: readonly CostedResult[][]): Finding[] {
  const [without = [], unnumbered = [], complete = []] = results;
  const cpus = (side: readonly CostedResult[]) => side.map(({ cpu }) => cpu);
  const [low, middle, high] = [without, unnumbered, complete].map((side) => median(cpus(side)));
  const cpuRatios = ratios(cpus(complete), cpus(without));
  const timeRatios = ratios(rates(without), rates(complete));
  const figures = {
    'without/s': median(rates(without)),
    'with/s': median(rates(complete)),
    'without cpu µs': low!,
    'with cpu µs': high!,
    'recording µs': middle! - low!,
    'numbering µs': high! - middle!,
    'cpu ratio': median(cpuRatios),
    'time ratio': median(timeRatios),
    'cpu per round': cpuRatios,
  };
  const common = { bench: 'events-cost', what, figures };
  if (!hasTarget) return [{ ...common, target: null }];
  return ['cpu ratio', 'time ratio'].map((figure) => ({ ...common, target: { figure, atMost: MAX_RATIO } }));
}
