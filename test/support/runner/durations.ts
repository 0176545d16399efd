/** How long each test file took in the last run on this machine: the longest start first, and shards are as long. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import longFiles from './durations.json' with { type: 'json' };

const DIRECTORY = 'node_modules/.cache';
const FILE = join(DIRECTORY, 'test-durations.json');
const SHORT_MS = 300;

/** Milliseconds by the path of the file. */
export type Durations = Map<string, number>;

/** Returns those of the last run; for a first run those of durations.json, which has the seconds of long files. */
export function readDurations(): Durations {
  const long = Object.entries(longFiles).map(([file, seconds]) => [file, seconds * 1_000] as const);
  try {
    const last = Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>);
    return new Map([...long, ...last]);
  } catch {
    return new Map(long);
  }
}

export function writeDurations(durations: Durations): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(FILE, JSON.stringify(Object.fromEntries(durations)));
}

/** Returns the files with the longest first. */
export function sortByDuration(files: readonly string[], durations: Durations): string[] {
  return files.toSorted((a, b) => (durations.get(b) ?? SHORT_MS) - (durations.get(a) ?? SHORT_MS));
}

/** Distributes files among shards, each to the one that takes the shortest so far. */
export function distribute(
  files: readonly string[],
  shards: readonly string[],
  durations: Durations,
): Record<string, string[]> {
  const filled = shards.map((shard) => ({ shard, files: [] as string[], milliseconds: 0 }));
  for (const file of sortByDuration(files, durations)) {
    const shortest = filled.reduce((least, each) => (each.milliseconds < least.milliseconds ? each : least));
    shortest.files.push(file);
    shortest.milliseconds += durations.get(file) ?? SHORT_MS;
  }
  return Object.fromEntries(filled.map(({ shard, files: given }) => [shard, given]));
}
