/** Starts the process of a few commands. The other tests of commands run them in their own process. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { useTestDatabase } from '../test/support/database.ts';
import { toEnvironment } from '../test/support/environment.ts';
import { run } from '../test/support/processes/process.ts';
import { createCurrentDatabase } from '../test/support/runner/engines.ts';
import { useService } from '../test/support/service.ts';

describe('the process of a CLI command', () => {
  const testDatabase = useTestDatabase('sqlite', createCurrentDatabase);

  async function start(args: readonly string[], environment: Record<string, string> = {}, input = '') {
    const { child, ending } = run(['src/cli.ts', ...args], toEnvironment(testDatabase, environment));
    child.stdin!.end(input);
    const [stdout, stderr, { code }] = await Promise.all([text(child.stdout!), text(child.stderr!), ending]);
    return { code, stdout, stderr };
  }

  const commands: [string[], code: number, stdout: RegExp][] = [
    [['migrate'], 0, /^The database is up to date\.\n$/],
    [['users', 'import', '--format', 'csv', '-'], 0, /^Imported 1, /],
    [['doctor', '--json'], 2, /^\[\{"check":"settings",.*\}\]\n$/],
    [['openapi'], 0, /^\{\n {2}"openapi": "3\.1/],
  ];
  for (const [args, expected, output] of commands) {
    test(`cli ${args.slice(0, 2).join(' ')} exits with ${expected} and prints its result on standard output`, async () => {
      const { code, stdout, stderr } = await start(args, {}, 'email\nada@example.com\n');
      assert.deepEqual([code, stderr], [expected, '']);
      assert.match(stdout, output);
    });
  }

  test('cli exits with 1 and one line on standard error when a command fails', async () => {
    const { code, stdout, stderr } = await start(['api', 'listUsers', '--url', 'http://127.0.0.1:1024']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^api: the service at http:\/\/127\.0\.0\.1:1024 cannot be reached .*\n$/);
  });

  test('cli reads .env in its working directory', async () => {
    writeFileSync(join(testDatabase.directory, '.env'), 'DATABASE_POOL=many\n');
    const { code, stderr } = await start(['migrate'], { PWD: testDatabase.directory });
    assert.equal(code, 1);
    assert.match(stderr, /^migrate: DATABASE_POOL must be .* \(in \/.*\/\.env\)\n$/);
  });

  test('cli exits with 1 and one line on standard error when its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const { code, lines } = await run(['src/cli.ts', 'openapi'], toEnvironment(testDatabase), full).ending;
    closeSync(full);
    assert.deepEqual([code, lines.length], [1, 1]);
    assert.match(lines[0]!, /^standard output cannot be written: ENOSPC/);
  });
});

describe('the process of a CLI command whose output nobody reads any more', () => {
  const service = useService('sqlite');

  async function runWithoutReader(args: readonly string[]) {
    const path = join(service.testDatabase.directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, 'r+');
    const output = openSync(path, 'w');
    closeSync(reader);
    const environment = toEnvironment(service.testDatabase, { PORT: new URL(service.api.url).port });
    const { ending } = run(['src/cli.ts', ...args], environment, output);
    closeSync(output);
    rmSync(path);
    return ending;
  }

  for (const args of [['--help'], ['openapi'], ['signing-keys', 'list'], ['api', 'listUsers']])
    test(`cli ${args.join(' ')} ends without an error, because its reader has read enough`, async () =>
      assert.deepEqual(await runWithoutReader(args), { code: 0, signal: null, lines: [] }));

  const lines = ['standard output cannot be written: write EPIPE'];
  for (const args of [
    ['api', 'exportUsers'],
    ['backup', 'create', '-'],
    ['credentials', 'create', 'ci', '--scopes', 'users:read'],
    ['users', 'export'],
  ])
    test(`cli ${args.join(' ')} exits with 1 and one line, because its output is lost`, async () =>
      assert.deepEqual(await runWithoutReader(args), { code: 1, signal: null, lines }));
});
