/** How long each test file took in the last run on this machine: the longest start first, and shards are as long. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = 'node_modules/.cache';
const FILE = join(DIRECTORY, 'test-durations.json');
/** Of a file that has not run yet: about its size, which says little. */
const MILLISECONDS_PER_BYTE = 0.1;

/** Milliseconds by the path of the file. */
export type Durations = Map<string, number>;

export function readDurations(): Durations {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

export function writeDurations(durations: Durations): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(FILE, JSON.stringify(Object.fromEntries(durations)));
}

/** Returns the files with the longest first. */
export function sortByDuration(files: readonly string[], durations: Durations): string[] {
  return files.toSorted((a, b) => estimate(b, durations) - estimate(a, durations));
}

function estimate(file: string, durations: Durations): number {
  return durations.get(file) ?? statSync(file).size * MILLISECONDS_PER_BYTE;
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
    shortest.milliseconds += estimate(file, durations);
  }
  return Object.fromEntries(filled.map(({ shard, files: given }) => [shard, given]));
}
