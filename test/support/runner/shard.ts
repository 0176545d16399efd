/** Test files that share a process: loading the service takes longer than the tests of most of them. */
import { join, relative } from 'node:path';
import { describe } from 'node:test';
// Before the test files: while one waits for a top-level await, others would register their tests as its own.
import '../mail.ts';
import '../routes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The variable in which test/run.ts passes the files of each shard: JSON, a list of paths by that of the shard. */
export const SHARDS_VARIABLE = 'TEST_SHARDS';

/** Runs the files of a shard, each as a suite, so that its hooks are its own. @throws without the runner */
export function runShard(path: string): void {
  const shards: Record<string, string[]> = JSON.parse(process.env[SHARDS_VARIABLE] ?? '{}');
  const files = shards[relative(ROOT, path)];
  if (files === undefined) throw new Error('Run the tests with `npm run test:only`');
  for (const file of files) {
    describe(file, async () => {
      await import(join(ROOT, file));
    });
  }
}
