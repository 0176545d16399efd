/** Test files that share a process: loading the service takes longer than the tests of most of them. */
import { join, relative } from 'node:path';
import { describe } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The variable in which test/run.ts passes the files of each shard: JSON, a list of paths by that of the shard. */
export const SHARDS_VARIABLE = 'TEST_SHARDS';

/** Runs the files of a shard, each as a suite, so that its hooks are its own. @throws without the runner */
export function runShard(path: string): void {
  const shards: Record<string, string[]> = JSON.parse(process.env[SHARDS_VARIABLE] ?? '{}');
  const files = shards[relative(ROOT, path)];
  if (files === undefined) throw new Error('Run the tests with `npm run test:only`');
  let imported: Promise<unknown> = Promise.resolve();
  for (const file of files) {
    describe(file, async () => {
      // One after the other: a module with a top-level await would register the tests of all files that wait for it here.
      imported = imported.then(() => import(join(ROOT, file)));
      await imported;
    });
  }
}
