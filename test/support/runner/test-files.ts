/** The test files of each suite, which their names decide, and the order in which they start. */
import { globSync, statSync } from 'node:fs';

/** Files that run shared test files, a process for each. */
export const SHARDS = globSync('test/shards/shard-*.ts').sort();
/** Files that run the suites in a browser, a process and a browser for each. */
export const BROWSER_SHARDS = globSync('test/shards/browser-*.ts').sort();

export interface TestFiles {
  /** Files that run in the processes of `SHARDS`, or in one process. */
  readonly shared: readonly string[];
  /** `*.browser.test.ts`: they run in the processes of `BROWSER_SHARDS`. */
  readonly browser: readonly string[];
  /** `*.process.test.ts`, which start programs or need a process of their own. */
  readonly own: readonly string[];
  /** `*.slow.test.ts`: the second suite, a process for each. */
  readonly slow: readonly string[];
}

export function findTestFiles(): TestFiles {
  const all = globSync('{src,test,web}/**/*.test.ts').sort();
  const ending = (kind: string) => all.filter((file) => file.endsWith(`.${kind}.test.ts`));
  const [browser, own, slow] = [ending('browser'), ending('process'), ending('slow')];
  const others = new Set([...browser, ...own, ...slow]);
  return { shared: all.filter((file) => !others.has(file)), browser, own, slow };
}

/** Distributes files among shards. Neighbours, which often take about as long, are in different ones. */
export function distribute(
  files: readonly string[],
  shards: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const pick = (shard: number) => files.filter((_, index) => index % shards.length === shard);
  return Object.fromEntries(shards.map((file, shard) => [file, pick(shard)]));
}

/** Returns the files with the largest first: they take longest, and no core waits for one that started last. */
export function sortBySize(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size);
}
