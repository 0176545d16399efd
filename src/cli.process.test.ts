import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from '../test/support/engines.ts';
import { runToEnd, run as start, startProcess } from '../test/support/process.ts';
import { environmentOf, useService } from '../test/support/service.ts';
import { assertExactFigures } from '../test/support/statistics.ts';

const OTHER_SECRET = 'another-secret-than-that-of-the-start';

describeOnEachEngine('cli', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());
  const run = (command: string, environment: Record<string, string> = {}) =>
    runToEnd(['src/cli.ts', command], environmentOf(testDatabase, environment));

  test('migrate creates the database and its directory, and reports the second time that it is up to date', async () => {
    const environment = { DATA_DIR: join(testDatabase.directory, 'created', 'by-migrate') };
    const first = await run('migrate', environment);
    assert.equal(first.code, 0, first.lines.join('\n'));
    assert.match(first.lines.join(), /^Applied [1-9]\d* step\(s\)\.$/);
    const second = await run('migrate', environment);
    assert.deepEqual(second.lines, ['The database is up to date.']);
  });

  test('accept-secret-key lets a service with another SECRET_KEY start on the database', async () => {
    await (await startProcess(testDatabase)).kill('SIGTERM');
    const { code, lines } = await run('accept-secret-key', { SECRET_KEY: OTHER_SECRET });
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!lines.join().includes(OTHER_SECRET));
    const service = await startProcess(testDatabase, { SECRET_KEY: OTHER_SECRET });
    assert.equal((await service.api.get('/readyz')).status, 200);
    await service.kill('SIGTERM');
  });
});

describeOnEachEngine('cli statistics recompute', (engine) => {
  const service = useService(engine);

  test('prints what it has corrected while the service runs, and nothing to correct the second time', async () => {
    const { database } = service.service;
    await service.api.post('/api/v1/users', {});
    await database.transaction(async (tx) => tx.count('unclaimed_users', 0, 5));
    const recompute = () =>
      runToEnd(['src/cli.ts', 'statistics', 'recompute'], environmentOf(service.testDatabase));
    const first = await recompute();
    assert.equal(first.code, 0, first.lines.join('\n'));
    const expected = (unclaimed: number) => [
      'users by state: 0 corrected',
      `unclaimed records: ${unclaimed} corrected`,
      'sign-ups by day: 0 corrected',
      'tokens by hour of expiry: 0 corrected',
      'days of activity of users: 0 corrected',
      'active users by day: 0 corrected',
    ];
    assert.deepEqual(first.lines, expected(1));
    await assertExactFigures(database);
    assert.deepEqual((await recompute()).lines, expected(0));
  });
});

describe('cli', () => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase('sqlite');
  });
  after(() => testDatabase.remove());
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runToEnd(['src/cli.ts', ...args], environmentOf(testDatabase, environment));

  test('openapi prints the checked-in description and writes no data', async () => {
    const { code, lines } = await run(['openapi']);
    assert.equal(code, 0);
    const checkedIn = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(lines.join('\n')), JSON.parse(checkedIn));
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  const COMMANDS = ['migrate', 'openapi', 'accept-secret-key', 'statistics'];

  function assertUsage(lines: readonly string[], message: string): void {
    const start = lines.findIndex((line) => line.startsWith('Usage: npm run cli -- '));
    assert.ok(start >= 0, `${message}: ${lines.join('\n')}`);
    for (const name of COMMANDS) {
      assert.ok(
        lines.slice(start).some((line) => line.trimStart().startsWith(`${name} `)),
        `${message}: ${name}`,
      );
    }
  }

  test('exits with 1 and prints its commands on standard error when the command is missing or unknown', async () => {
    for (const args of [[], ['constructor'], ['--unknown']]) {
      const { child, ending } = start(['src/cli.ts', ...args]);
      const standardError = await text(child.stderr!);
      assert.equal((await ending).code, 1);
      assertUsage(standardError.split('\n'), args.join());
    }
  });

  test('exits with 1 and the usage of a command when it has an argument or option too many', async () => {
    for (const args of [
      ['migrate', 'now'],
      ['migrate', '--now'],
    ]) {
      const { code, lines } = await run(args);
      assert.equal(code, 1);
      assert.match(lines[0]!, /^error: .*now/);
      assert.ok(lines.includes('Usage: npm run cli -- migrate [options]'));
    }
  });

  test('exits with 0 and prints its commands with --help', async () => {
    for (const args of [['--help'], ['help']]) {
      const { code, lines } = await run(args);
      assert.equal(code, 0);
      assertUsage(lines, args.join());
    }
    for (const name of COMMANDS) {
      const { code, lines } = await run([name, '--help']);
      assert.equal(code, 0);
      assert.match(lines[0]!, new RegExp(`^Usage: npm run cli -- ${name} \\[options\\]`));
    }
  });

  test('exits with 1 and one line when a setting is invalid or the database unavailable', async () => {
    const wrong = await run(['migrate'], { PORT: 'x' });
    assert.deepEqual([wrong.code, wrong.lines.length], [1, 1]);
    assert.match(wrong.lines[0]!, /^migrate: PORT /);
    const away = await run(['migrate'], { DATABASE_URL: 'postgres://user:the-password@127.0.0.1:1/x' });
    assert.deepEqual([away.code, away.lines.length], [1, 1]);
    assert.match(away.lines[0]!, /^migrate: The database is unavailable: (?!.*the-password)/);
  });
});
