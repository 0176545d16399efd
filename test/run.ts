/**
 * Runs test files: those of the first suite, those named on the command line, with `--slow` those of the second suite,
 * with `--later` those with suites whose PostgreSQL half is in the second suite, or with `--fast` the shared or named
 * ones in this process. With `--checks`, types and lint run beside the tests. Starts a PostgreSQL server unless
 * TEST_ENGINES leaves it out.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { setFlagsFromString } from 'node:v8';
import { ensureBuilt } from '../src/features/pages/assets/build-pages.ts';
import { scaleTimeout } from './support/kills/kill-count.ts';
import { COMPILE_FLAGS } from './support/processes/compile-flags.ts';
import { startPostgres } from './support/processes/postgres-server.ts';
import { runChecks } from './support/runner/checks.ts';
import { distribute, readDurations, sortByDuration, writeDurations } from './support/runner/durations.ts';
import { describeOnEachEngine, ENGINES, FIRST_SUITE } from './support/runner/engines.ts';
import { SHARDS_VARIABLE } from './support/runner/shard.ts';
import { createTemplates } from './support/runner/templates.ts';
import { BROWSER_SHARDS, findTestFiles, SHARDS } from './support/runner/test-files.ts';

const MEMORY_DIRECTORY = '/dev/shm';
const MIN_ROOM_BYTES = 4 * 1024 ** 3;
const TIMEOUT_MS = 900_000;
const SLOW_TIMEOUT_MS = 1_800_000;
/** From the signal that ends a file at its time limit, which a busy loop does not handle, to the one that kills it. */
const KILL_DELAY_MS = 10_000;

const args = process.argv.slice(2);
const named = args.filter((argument) => !argument.startsWith('--'));
const isFast = args.includes('--fast');
const isLater = args.includes('--later');
const { shared, browser, own, slow } = findTestFiles(isLater ? `${describeOnEachEngine.name}(` : '');
const isSlow = args.includes('--slow') || named.some((file) => slow.includes(file));
/** Time limit of one file, in milliseconds. */
const timeout = isSlow ? scaleTimeout(SLOW_TIMEOUT_MS) : TIMEOUT_MS;

COMPILE_FLAGS.forEach(setFlagsFromString);
// Before anything creates a temporary file.
if (process.env.TMPDIR === undefined && hasRoom(MEMORY_DIRECTORY)) process.env.TMPDIR = MEMORY_DIRECTORY;
const checks = args.includes('--checks') ? runChecks() : [];
const starting = ENGINES.includes('postgres') ? startPostgres() : null;
// Once, instead of in every process that starts the service.
await ensureBuilt();
const postgres = await starting;
if (postgres !== null) process.env.TEST_POSTGRES_URL = postgres.url;
const templates = await createTemplates();
const durations = readDurations();
const shards = {
  ...distribute(shared, SHARDS, durations),
  ...distribute(browser, BROWSER_SHARDS, durations),
};
Object.assign(process.env, templates.environment, { [SHARDS_VARIABLE]: JSON.stringify(shards) });
// Engines or files that are named run all of their suites.
if (process.env.TEST_ENGINES === undefined && named.length === 0 && !isSlow)
  process.env[FIRST_SUITE] = 'true';
const files = chooseFiles();
const events = run({ files: [...files], ...options() });
let hasFailed = false;
let hasEnded = false;
/** Names of the files, suites and tests that have begun and not ended. */
const running: string[] = [];
const deadlines = new Map<string, NodeJS.Timeout>();
events.on('test:dequeue', ({ name }) => {
  running.push(name);
  // Suites of files have the nesting 0 as well.
  if (files.includes(name) && !isFast)
    deadlines.set(name, setTimeout(kill, timeout + KILL_DELAY_MS, name).unref());
});
events.on('test:complete', ({ name }) => {
  running.splice(running.indexOf(name), 1);
  clearTimeout(deadlines.get(name));
});
// A test that waits for nothing that keeps the process alive, or exits, would end the run as a success.
process.once('exit', () => {
  if (hasEnded) return;
  if (isFast && running.length === 0) {
    // In one process, the events end only with the process.
    templates.remove();
    process.exitCode = hasFailed ? 1 : 0;
    return;
  }
  console.error('The process ended before its tests: the one that began last waits for nothing, or exits');
  process.exitCode = 1;
});
events.on('test:fail', () => {
  hasFailed = true;
});
events.on('test:complete', ({ name, nesting, details }) => {
  // Shards have a suite for each file, with its path as the name, as the processes of other files have.
  if (nesting === 0 && name.endsWith('.test.ts')) durations.set(relative('.', name), details.duration_ms);
});
try {
  await pipeline(events, new spec(), process.stdout, { end: false });
} finally {
  templates.remove();
  await postgres?.stop();
}
writeDurations(durations);
// After the count of tests: who reads the end of the log finds the reason.
const failedChecks = await checks;
for (const failure of failedChecks) console.error(failure);
hasEnded = true;
// The exit would drop what the reader of a pipe has not taken yet: the count of tests, and why some have failed.
for (const stream of [process.stdout, process.stderr])
  await new Promise((resolve) => stream.write('', resolve));
process.exit(hasFailed || failedChecks.length > 0 ? 1 : 0);

/** Returns the files that the runner starts, in this order. */
function chooseFiles(): readonly string[] {
  if (named.length > 0) return named;
  if (isFast) return shared;
  return args.includes('--slow')
    ? slow
    : interleave([...SHARDS, ...BROWSER_SHARDS], sortByDuration(own, durations));
}

/**
 * Puts files that mostly wait for their programs between shards, which compute, and most of them after the last shard:
 * both cores are busy to the end, when only short files are left.
 */
function interleave(shards: readonly string[], waiting: readonly string[]): string[] {
  return [
    ...shards.flatMap((shard, index) => [shard, ...waiting.slice(index, index + 1)]),
    ...waiting.slice(shards.length),
  ];
}

/** Kills a file: the runner waits for it for as long as its process lives. */
function kill(file: string): void {
  console.error(`${file} did not end at its time limit. Running: ${running.join(' > ')}`);
  spawnSync('pkill', ['-KILL', '-P', String(process.pid), '-f', file]);
}

function options(): NonNullable<Parameters<typeof run>[0]> {
  // One process for all files: each would load the same modules for longer than its tests take.
  if (isFast) return { isolation: 'none' };
  // Three files for each core: most of their time is spent waiting for databases, processes and timers. The slow
  // suite measures.
  const perCore = args.includes('--slow') ? 1 : 3;
  return { timeout, concurrency: availableParallelism() * perCore, execArgv: COMPILE_FLAGS };
}

/** Returns whether the test databases fit into a file system in memory, where waiting for the disk takes no time. */
function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= MIN_ROOM_BYTES;
}
