/** Time and size of backups on both engines, the move from SQLite to PostgreSQL, and what a backup costs requests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../benches.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import { get } from '../load/requests.ts';
import { type Measure, measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p99s, ratios } from '../load/statistics.ts';
import { measureOnEngines, type SeededEngine } from '../processes/engines.ts';
import { ANY_CORE } from '../processes/stage.ts';

const USERS = 20_000;
const LARGE = 1_000_000;
const TOKENS = 500;
const SECRET_KEY = 'secret-key-of-the-bench-of-backups-1';
const ME_PER_SECOND = 500;
const ME_CONNECTIONS = 64;
const MAX_SLOWDOWN = 1.3;
const MB = 1_000_000;

export const measureBackups = ({ pace }: BenchOptions) => measure(USERS, pace);
export const measureLargeBackups = ({ pace }: BenchOptions) => measure(LARGE, pace);

async function measure(users: number, pace: Pace): Promise<Finding[]> {
  /** The backup of SQLite, which is restored into PostgreSQL as well. */
  const moved = join(tmpdir(), `frontdesk-bench-${process.pid}.zst`);
  try {
    return await measureOnEngines({ users, tokens: TOKENS }, async (seeded) => {
      mkdirSync(seeded.dataDir, { recursive: true });
      const [what, file] = [`${seeded.engine}, ${users} users`, join(seeded.dataDir, 'bench.zst')];
      const findings = [await measureRequests(seeded, pace, { what, file })];
      // The service has locked its own file.
      const target = { ...seeded, dataDir: join(seeded.dataDir, 'restored') };
      const run = (name: string, ...args: string[]) =>
        timeCommand(name === 'restore' ? target : seeded, [name, ...args]);
      const add = (name: string, seconds: number) =>
        findings.push(toFinding(`${what}: ${name}`, { s: seconds, MB: statSync(file).size / MB }));
      add('create', await run('create', file));
      add('verify', await run('verify', file));
      add('restore', await run('restore', file, '--replace'));
      if (seeded.databaseUrl === null) copyFileSync(file, moved);
      else add('restore of SQLite', await run('restore', moved, '--replace'));
      return findings;
    });
  } finally {
    rmSync(moved, { force: true });
  }
}

function toFinding(what: string, figures: Finding['figures']): Finding {
  return { bench: 'backups', what, figures, target: null };
}

/** Returns the seconds that the command takes. */
async function timeCommand(seeded: SeededEngine, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const [code] = await once(startCommand(seeded, args), 'exit');
  if (code !== 0) throw new Error(`backup ${args[0]} has exited with ${code}`);
  return (performance.now() - start) / 1000;
}

/** With the priority that scheduled backups have. */
function startCommand({ databaseUrl, dataDir }: SeededEngine, args: readonly string[]) {
  const url = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, SECRET_KEY, ...url };
  const command = ['-n', '19', process.execPath, 'src/cli.ts', 'backup', ...args];
  const cwd = join(import.meta.dirname, '../..');
  return spawn('nice', command, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Measures `me` at a constant rate, without and with backups at the same time. */
async function measureRequests(
  seeded: SeededEngine,
  pace: Pace,
  { what, file }: { readonly what: string; readonly file: string },
): Promise<Finding> {
  const port = await seeded.start({ SECRET_KEY, LOAD_SHEDDING_MS: 'off' });
  const requests = seeded.sample.tokens.map((token) => get('/api/v1/me', token));
  const reading = seeded.helper<ConstantRateJob, LoadResult>('load/constant-rate.ts', ANY_CORE);
  const idle: Measure<LoadResult> = (milliseconds) =>
    reading({ port, requests, connections: ME_CONNECTIONS, milliseconds, perSecond: ME_PER_SECOND });
  const busy: Measure<LoadResult> = async (milliseconds) => {
    let isOver = false;
    const backUp = async () => {
      while (!isOver) await timeCommand(seeded, ['create', file]);
    };
    const backups = backUp();
    const result = await idle(milliseconds);
    isOver = true;
    await backups;
    return result;
  };
  const [quiet = [], loaded = []] = await measureInTurn([idle, busy], pace.long);
  const perRound = ratios(p99s(loaded), p99s(quiet));
  const figures = {
    'idle p99 ms': median(p99s(quiet)),
    'p99 ms': median(p99s(loaded)),
    'p99 ratio': median(perRound),
    'per round': perRound,
  };
  const target = { figure: 'p99 ratio', atMost: MAX_SLOWDOWN };
  return {
    bench: 'backups',
    what: `${what}: me, ${ME_PER_SECOND} a second, beside backups`,
    figures,
    target,
  };
}
