/** The processes of one bench: the service as users run it, floors, load generators; all gone when it closes. */
import {
  type ChildProcess,
  execFileSync,
  type SpawnOptions,
  type StdioOptions,
  spawn,
} from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failure } from './load.ts';
import { freePort, untilReady } from './ready.ts';
import { ADMIN_TOKEN } from './requests.ts';

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

const ROOT = join(import.meta.dirname, '..');

/** Whether processes can be given a core of their own. */
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
  /** Processor time used since the start in microseconds, where Linux tells; else not a number. */
  cpuMicroseconds(): number;
  stop(): Promise<void>;
}

/** A process that takes one job at a time and answers with what it measured. */
export type Measurer<Job, Result> = (job: Job) => Promise<Result>;

export interface Stage {
  /** A folder of its own, removed at the end. */
  readonly directory: string;
  /** `command` as started by users; `environment` on top of PORT, and of nothing that is set here. */
  server(
    command: readonly string[],
    environment: Record<string, string>,
    options: { pinned: boolean },
  ): Promise<Server>;
  measurer<Job, Result>(script: string, options: { pinned: boolean }): Measurer<Job, Result>;
  close(): Promise<void>;
}

export const SERVICE = [process.execPath, 'src/main.ts'];
export const FLOOR = [process.execPath, 'bench/floor.ts'];
export const BARE = [process.execPath, 'bench/bare.ts'];

/** Limits are on, as they are for users, and wide enough for one address that sends all there is. */
const WIDE_LIMITS = Object.fromEntries(
  ['ANON', 'USER', 'CREATE', 'REGISTER', 'REGISTER_HOUR', 'LOGIN'].map((name) => [
    `RATE_LIMIT_${name}`,
    '100000000/60',
  ]),
);

/** What the service gets besides its defaults. */
export function serviceEnvironment(dataDir: string): Record<string, string> {
  return { DATA_DIR: dataDir, ADMIN_TOKEN, ...WIDE_LIMITS };
}

/** Of all stages: nothing outlives the bench, however it ends. */
const started: ChildProcess[] = [];
process.once('exit', () => started.forEach(endGroup));

export function openStage(): Stage {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-bench-run-'));
  const children: ChildProcess[] = [];
  const start = (command: readonly string[], core: number | null, more: Partial<SpawnOptions>) => {
    const [program, ...rest] = core === null || !canPin ? command : ['taskset', '-c', `${core}`, ...command];
    const output = openSync(join(directory, `output-${children.length}.log`), 'a');
    const stdio: StdioOptions = ['ignore', output, output];
    // A group of its own, because npm's child is not npm itself.
    const child = spawn(program!, rest, { cwd: ROOT, detached: true, stdio, ...more });
    closeSync(output);
    children.push(child);
    started.push(child);
    return child;
  };
  return {
    directory,
    async server(command, environment, { pinned }) {
      const port = await freePort();
      const began = performance.now();
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, ...environment, PORT: String(port) };
      const child = start(command, pinned ? SERVER_CORE : null, { env });
      await untilReady(port, child);
      const startedMilliseconds = performance.now() - began;
      return {
        port,
        startedMilliseconds,
        memory: () => residentMegabytes(child.pid!),
        cpuMicroseconds: () => cpuMicroseconds(child.pid!),
        stop: () => stop(child),
      };
    },
    measurer(script, { pinned }) {
      const command = [process.execPath, `bench/${script}`];
      return asking(
        start(command, pinned ? LOAD_CORE : null, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
      );
    },
    async close() {
      await Promise.all(children.map(stop));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function asking<Job, Result>(child: ChildProcess): Measurer<Job, Result> {
  return (job) =>
    new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The measuring process ended'));
      child.once('exit', ended);
      child.once('message', (answer: Result | Failure) => {
        child.off('exit', ended);
        const failure = (answer as Failure).failure;
        if (failure === undefined) resolve(answer as Result);
        else reject(new Error(failure));
      });
      child.send(job as object);
    });
}

function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Fields 14 and 15 of /proc/<pid>/stat (proc(5)), in ticks of 10 ms; the name in field 2 may hold spaces. */
function cpuMicroseconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
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
