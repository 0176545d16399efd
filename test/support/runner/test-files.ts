/** The test files of each suite, which their names decide. */
import { globSync, readFileSync } from 'node:fs';

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

/** Returns all test files, or those that contain the text. */
export function findTestFiles(text = ''): TestFiles {
  const all = globSync('{src,test,web}/**/*.test.ts')
    .filter((file) => readFileSync(file, 'utf8').includes(text))
    .sort();
  const ending = (kind: string) => all.filter((file) => file.endsWith(`.${kind}.test.ts`));
  const [browser, own, slow] = [ending('browser'), ending('process'), ending('slow')];
  const others = new Set([...browser, ...own, ...slow]);
  return { shared: all.filter((file) => !others.has(file)), browser, own, slow };
}
