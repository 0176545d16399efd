/**
 * Runs the test files: all, those named on the command line, or with `--fast` those that need neither PostgreSQL
 * nor much time. Starts a PostgreSQL server unless TEST_ENGINES leaves it out.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ensureBuilt } from '../src/features/web-assets/ensure-built.ts';
import { ENGINES } from './support/engines.ts';
import { startPostgres } from './support/postgres-server.ts';
import { SHARDS_VARIABLE } from './support/shard.ts';

/** Matches texts of slow test files: processes, browsers, password hashes, PostgreSQL, responses 413 (which linger). */
const SLOW =
  /support\/(?:process|browser)\.ts|\/api\/(?:register|login)\b|\bregister\(|createPasswords|(?:Database|Service)\('postgres'|\b413\b/;

/** Matches texts of test files that need a process of their own: of programs, browsers, threads, the process itself. */
const ALONE =
  /support\/(?:process|browser|console|reference-page|account-pages|smtp-server|postgres-server|outage)\.ts|\bprocess\.(?:on|env|memoryUsage)|Worker|'worker'/;
/** Suites that wait for locks and time limits. */
const WAITING = '**/*-{availability,damage}.test.ts';
const SHARDS = globSync('test/shards/*.ts').sort();

const MEMORY_DIRECTORY = '/dev/shm';
const MIN_ROOM_BYTES = 4 * 1024 ** 3;

const args = process.argv.slice(2);
const isFast = args.includes('--fast');
const named = args.filter((argument) => argument !== '--fast');
// One file per core: much of the time is spent waiting for processes and the disk. Node leaves one core out.
const options = ['--test', '--test-timeout=240000', `--test-concurrency=${availableParallelism()}`];
// One process for all files: each would load the same modules for longer than its tests take.
if (isFast) options.push('--test-isolation=none');

// Before anything creates a temporary file.
if (process.env.TMPDIR === undefined && hasRoom(MEMORY_DIRECTORY)) process.env.TMPDIR = MEMORY_DIRECTORY;
// Once, instead of in every process that starts the service.
await ensureBuilt();
const needsPostgres = ENGINES.includes('postgres');
const postgres = needsPostgres ? await startPostgres() : null;
const { files, shards } = testFiles();
const runner = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    [SHARDS_VARIABLE]: JSON.stringify(shards),
    ...(postgres === null ? {} : { TEST_POSTGRES_URL: postgres.url }),
  },
});
const code = await new Promise<number>((resolve) => runner.on('exit', (status) => resolve(status ?? 1)));
await postgres?.stop();
process.exit(code);

/** Returns whether the test databases fit into a file system in memory, where waiting for the disk takes no time. */
function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= MIN_ROOM_BYTES;
}

interface TestFiles {
  /** Files that the runner starts, a process for each. */
  readonly files: readonly string[];
  /** The files that each of `test/shards` runs in its process. */
  readonly shards: readonly (readonly string[])[];
}

function testFiles(): TestFiles {
  if (named.length > 0) return { files: named, shards: [] };
  const source = globSync('src/**/*.test.ts', { exclude: [WAITING] });
  if (isFast) return { files: source.filter((file) => !SLOW.test(readFileSync(file, 'utf8'))), shards: [] };
  const shared = source.filter((file) => !ALONE.test(readFileSync(file, 'utf8')));
  const others = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts']);
  return {
    files: [...SHARDS, ...others.filter((file) => !shared.includes(file))],
    shards: SHARDS.map((_, index) => shared.filter((__, place) => place % SHARDS.length === index)),
  };
}
