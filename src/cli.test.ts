import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from '../test/support/engines.ts';
import { runToEnd, startProcess } from '../test/support/process.ts';
import { environmentOf } from '../test/support/service.ts';

const OTHER_SECRET = 'another-secret-than-that-of-the-start';

describeOnEachEngine('the command', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());
  const run = (command: string, environment: Record<string, string> = {}) =>
    runToEnd(['src/cli.ts', command], environmentOf(testDatabase, environment));

  test('migrate makes the database, in a folder that it makes, and says so; the next time there is nothing to do', async () => {
    const environment = { DATA_DIR: join(testDatabase.directory, 'made', 'by-migrate') };
    const first = await run('migrate', environment);
    assert.equal(first.code, 0, first.lines.join('\n'));
    assert.match(first.lines.join(), /^Applied [1-9]\d* step\(s\)\.$/);
    const second = await run('migrate', environment);
    assert.deepEqual(second.lines, ['The database is up to date.']);
  });

  test('accept-secret-key lets a start succeed whose secret is not the one of the database', async () => {
    await (await startProcess(testDatabase)).kill('SIGTERM');
    const { code, lines } = await run('accept-secret-key', { SECRET_KEY: OTHER_SECRET });
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!lines.join().includes(OTHER_SECRET));
    const service = await startProcess(testDatabase, { SECRET_KEY: OTHER_SECRET });
    assert.equal((await service.api.get('/readyz')).status, 200);
    await service.kill('SIGTERM');
  });
});

describe('the command', () => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase('sqlite');
  });
  after(() => testDatabase.remove());
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runToEnd(['src/cli.ts', ...args], environmentOf(testDatabase, environment));

  test('openapi prints the checked-in description and touches no data', async () => {
    const { code, lines } = await run(['openapi']);
    assert.equal(code, 0);
    const checkedIn = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(lines.join('\n')), JSON.parse(checkedIn));
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  test('that nobody knows, or none, ends with 1 and the list of those that there are', async () => {
    for (const args of [[], ['help'], ['constructor']]) {
      const { code, lines } = await run(args);
      assert.equal(code, 1);
      assert.match(lines[0]!, /^Usage: /, args.join());
      for (const name of ['migrate', 'openapi', 'accept-secret-key']) {
        assert.ok(
          lines.some((line) => line.trimStart().startsWith(`${name} `)),
          name,
        );
      }
    }
  });

  test('with a wrong setting or without its database ends with 1 and one line', async () => {
    const wrong = await run(['migrate'], { PORT: 'x' });
    assert.deepEqual([wrong.code, wrong.lines.length], [1, 1]);
    assert.match(wrong.lines[0]!, /^migrate: PORT /);
    const away = await run(['migrate'], { DATABASE_URL: 'postgres://user:the-password@127.0.0.1:1/x' });
    assert.deepEqual([away.code, away.lines.length], [1, 1]);
    assert.match(away.lines[0]!, /^migrate: The database is unavailable: (?!.*the-password)/);
  });
});
