/** Processes of one bench: servers, load generators and other helpers. None of them outlives the bench. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JobFailure } from '../load/jobs.ts';
import { ADMIN_TOKEN } from '../load/requests.ts';
import { readCpuMicroseconds, readResidentMegabytes } from './process-usage.ts';
import { findFreePort, waitUntilReady } from './ready.ts';

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
/** Any core, for work that needs all of them. */
export const ANY_CORE = null;

const ROOT = join(import.meta.dirname, '../..');

/** Whether processes can be bound to a core. */
export const canPin = (() => {
  try {
    execFileSync('taskset', ['-c', `${SERVER_CORE},${LOAD_CORE}`, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface Server {
  readonly port: number;
  /** From the start of the process to the first 200 of /readyz. */
  readonly startedMilliseconds: number;
  /** Resident memory in MB. */
  memory(): number;
  /** Processor time used since the start in microseconds; NaN on systems other than Linux. */
  cpuMicroseconds(): number;
  stop(): Promise<void>;
}

/** A helper process: it runs one job at a time. */
export type Helper<Job, Result> = (job: Job) => Promise<Result>;

export interface Stage {
  /** A temporary directory, removed at the end. */
  readonly directory: string;
  /** Starts a server in an environment of PATH, HOME, a free PORT and `environment`, and waits until it is ready. */
  server(
    command: readonly string[],
    environment: Record<string, string>,
    core?: number | null,
  ): Promise<Server>;
  /** Starts a script, named by its path in bench/, that calls `serveJobs`. */
  helper<Job, Result>(script: string, core?: number | null): Helper<Job, Result>;
}

/** Returns the command of `npm start` in a checkout. */
export function readStartCommand(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, checkout, 'package.json'), 'utf8'));
  const options: string[] = scripts.start.match(/(?<=\s)--\S+/g) ?? [];
  const cache = `NODE_COMPILE_CACHE=${join(checkout, 'node_modules/.cache/compile')}`;
  return ['env', cache, process.execPath, ...options, join(checkout, 'src/main.ts')];
}

export const SERVICE = readStartCommand('.');
export const FLOOR = [process.execPath, 'bench/references/floor/sqlite.ts'];
export const STOCK = [process.execPath, 'bench/references/stock/server.ts'];

/** Rate limits are on, as they are for users, and high enough for one client IP that sends all the load. */
const WIDE_LIMITS = Object.fromEntries(
  [
    'ANON',
    'USER',
    'CREATE',
    'CREATE_HOUR',
    'CREATE_DAY',
    'REGISTER',
    'REGISTER_HOUR',
    'LOGIN',
    'DOCUMENTS',
    'WRITE',
    'VERIFY',
    'CREDENTIAL_WRITE',
    'SUBMISSION',
  ].map((name) => [`RATE_LIMIT_${name}`, '100000000/60']),
);

/** Returns the settings of the service that differ from its defaults. */
export function createServiceEnvironment(dataDir: string): Record<string, string> {
  return { DATA_DIR: dataDir, ADMIN_TOKEN, ...WIDE_LIMITS };
}

/** Child processes of all stages, killed when the bench exits for any reason. */
const started: ChildProcess[] = [];
process.once('exit', () => started.forEach(endGroup));

/** Runs `work` on a new stage, and ends its processes afterwards. */
export async function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-bench-run-'));
  const children: ChildProcess[] = [];
  const start = (command: readonly string[], core: number | null, options: SpawnOptions) => {
    const log = join(directory, `output-${children.length}.log`);
    const child = spawnOn(core, command, { ...options, log });
    children.push(child);
    return child;
  };
  try {
    return await work({
      directory,
      server: async (command, environment, core = SERVER_CORE) => {
        const port = Number(environment.PORT ?? (await findFreePort()));
        const began = performance.now();
        const { PATH = '', HOME = '' } = process.env;
        const child = start(command, core, { env: { PATH, HOME, ...environment, PORT: String(port) } });
        await waitUntilReady(port, child);
        return toServer(child, port, performance.now() - began);
      },
      helper: (script, core = LOAD_CORE) => {
        const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'inherit', 'ipc'];
        // Not as JSON, which has no NaN.
        const options: SpawnOptions = { stdio, serialization: 'advanced' };
        return toHelper(start([process.execPath, `bench/${script}`], core, options));
      },
    });
  } finally {
    await Promise.all(children.map(stop));
    rmSync(directory, { recursive: true, force: true });
  }
}

function spawnOn(
  core: number | null,
  command: readonly string[],
  { log, ...options }: SpawnOptions & { readonly log: string },
) {
  const pinned = core === null || !canPin ? command : ['taskset', '-c', `${core}`, ...command];
  const [program, ...parameters] = pinned;
  const output = openSync(log, 'a');
  // A process group of its own, because the child of npm is another process.
  const child = spawn(program!, parameters, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', output, output],
    ...options,
  });
  closeSync(output);
  started.push(child);
  return child;
}

function toServer(child: ChildProcess, port: number, startedMilliseconds: number): Server {
  return {
    port,
    startedMilliseconds,
    memory: () => readResidentMegabytes(child.pid!),
    cpuMicroseconds: () => readCpuMicroseconds(child.pid!),
    stop: () => stop(child),
  };
}

function toHelper<Job, Result>(child: ChildProcess): Helper<Job, Result> {
  return (job) =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('A helper process ended'));
      child.once('exit', onExit);
      child.once('message', (message: Result | JobFailure) => {
        child.off('exit', onExit);
        const failure = (message as JobFailure).failure;
        if (failure === undefined) resolve(message as Result);
        else reject(new Error(failure));
      });
      child.send(job as object);
    });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    endGroup(child);
  });
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
}
