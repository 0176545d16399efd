/** What the process itself costs: how soon it serves, how much memory it holds. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import { get, PASSWORD, post } from './requests.ts';
import { median } from './rounds.ts';
import { emailOf, populate } from './seed.ts';
import { FLOOR, openStage, SERVICE, type Stage, serviceEnvironment } from './stage.ts';

const STARTS = 7;
const MOST_SECONDS = 0.6;
const MOST_MEGABYTES = 120;
const USERS = 1_000;
const CONNECTIONS = 32;
const LOAD_MS = 5_000;
const REST_MS = 3_000;

/** Each start on an empty folder, so that it includes making the database. */
export async function measureStart(): Promise<Finding[]> {
  const stage = openStage();
  try {
    const seconds: Record<string, number[]> = { floor: [], node: [], npm: [] };
    for (let start = 0; start < STARTS; start++) {
      const environment = serviceEnvironment(join(stage.directory, `node-${start}`));
      const floor = { DATABASE: join(stage.directory, 'node-0', 'frontdesk.db') };
      seconds.node!.push(await startOnce(stage, SERVICE, environment));
      seconds.floor!.push(await startOnce(stage, FLOOR, floor));
      const other = serviceEnvironment(join(stage.directory, `npm-${start}`));
      seconds.npm!.push(await startOnce(stage, ['npm', 'start'], other));
    }
    return [
      started('bare node:http server', seconds.floor!, false),
      started('node src/main.ts', seconds.node!, false),
      started('npm start', seconds.npm!, true),
    ];
  } finally {
    await stage.close();
  }
}

async function startOnce(
  stage: Stage,
  command: readonly string[],
  environment: Record<string, string>,
): Promise<number> {
  const server = await stage.server(command, environment, { pinned: false });
  await server.stop();
  return server.startedMilliseconds / 1000;
}

function started(what: string, seconds: readonly number[], hasTarget: boolean): Finding {
  return {
    bench: 'start',
    what: `first 200 after ${what}`,
    figures: { 'median s': median(seconds), 'per round': seconds },
    target: hasTarget ? { figure: 'median s', atMost: MOST_SECONDS } : null,
  };
}

/** At rest means: some seconds after the last request. */
export async function measureMemory(): Promise<Finding[]> {
  const stage = openStage();
  try {
    const directory = join(stage.directory, 'service');
    const { tokens } = await populate(directory, USERS);
    const service = await stage.server(SERVICE, serviceEnvironment(directory), { pinned: false });
    const { port } = service;
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: false });
    const after = async (what: string, requests: readonly string[]) => {
      const job = { port, requests, connections: CONNECTIONS, milliseconds: LOAD_MS, perSecond: null };
      if (requests.length > 0) await load(job);
      await pause(REST_MS);
      return resident(what, service.memory());
    };
    const logins = tokens.map((_, user) => post('/api/login', { email: emailOf(user), password: PASSWORD }));
    return [
      await after('start', []),
      await after(
        '5 s of me',
        tokens.map((token) => get('/api/v1/me', token)),
      ),
      await after('5 s of logins', logins),
    ];
  } finally {
    await stage.close();
  }
}

function resident(what: string, megabytes: number): Finding {
  return {
    bench: 'memory',
    what: `at rest after ${what}`,
    figures: { MB: megabytes },
    target: { figure: 'MB', atMost: MOST_MEGABYTES },
  };
}
