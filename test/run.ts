/**
 * Runs the test files (all, or those named on the command line) with PostgreSQL at hand. Every suite that
 * touches a database runs on both engines in the same run, so the runner's closing count is the whole of it.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { startPostgres } from './support/postgres-server.ts';

const named = process.argv.slice(2);
const files =
  named.length > 0 ? named : globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts']);

const postgres = await startPostgres();
const runner = spawn(process.execPath, ['--test', '--test-timeout=240000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_POSTGRES_URL: postgres.url },
});
const code = await new Promise<number>((resolve) => runner.on('exit', (status) => resolve(status ?? 1)));
await postgres.stop();
process.exit(code);
