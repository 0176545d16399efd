/** The test files of each suite, which their names decide. */
import { globSync } from 'node:fs';

/** Files that run shared test files, a process for each. */
export const SHARDS = globSync('test/shards/*.ts').sort();

export interface TestFiles {
  /** Files that run in the processes of `SHARDS`, or in one process. */
  readonly shared: readonly string[];
  /** `*.browser.test.ts`, and `*.process.test.ts`, which start programs or need a process of their own. */
  readonly own: readonly string[];
  /** `*.slow.test.ts`: the second suite, a process for each. */
  readonly slow: readonly string[];
}

export function findTestFiles(): TestFiles {
  const all = globSync('{src,test,web}/**/*.test.ts').sort();
  const slow = all.filter((file) => file.endsWith('.slow.test.ts'));
  const own = all.filter((file) => /\.(?:browser|process)\.test\.ts$/.test(file));
  return { shared: all.filter((file) => !slow.includes(file) && !own.includes(file)), own, slow };
}

/** Distributes shared files among `SHARDS`. Neighbours, which often take about as long, are in different ones. */
export function distribute(files: readonly string[]): readonly (readonly string[])[] {
  return SHARDS.map((_, shard) => files.filter((__, index) => index % SHARDS.length === shard));
}
