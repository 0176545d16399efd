import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { openTestDatabase } from '../../../test/support/database.ts';
import { assertWorks, write } from '../../../test/support/processes/outage.ts';
import { runToEnd, startProcess } from '../../../test/support/processes/process.ts';
import { createCurrentDatabase, type TestDatabase } from '../../../test/support/runner/engines.ts';
import { admin, openService, startService, toEnvironment } from '../../../test/support/service.ts';

describe('the lock of a SQLite file', () => {
  let testDatabase: TestDatabase;
  let file: string;
  beforeEach(async () => {
    testDatabase = await createCurrentDatabase('sqlite');
    file = join(testDatabase.directory, 'frontdesk.db');
  });
  afterEach(() => testDatabase.remove());

  /** Expects a second process, whose port is in use as well, to fail because of its database. */
  const assertStartFails = async (port: string) => {
    const environment = toEnvironment(testDatabase, { PORT: port });
    const { code, lines } = await runToEnd(['src/main.ts'], environment);
    assert.equal(code, 1);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0]!, /^Frontdesk cannot start: .*frontdesk\.db is in use by another .*DATA_DIR/);
  };
  /** Expects another process, without the rest of the service, to fail to lock the file. */
  const assertLocked = async (directory = testDatabase.directory) => {
    const program = `import { lockSqlite } from '${import.meta.resolve('./file.ts')}';
      lockSqlite('${join(directory, 'frontdesk.db')}');`;
    const { code, lines } = await runToEnd(['--input-type=module', '--eval', program]);
    assert.equal(code, 1);
    assert.match(lines.join(), /frontdesk\.db is in use by another/);
  };
  const start = (context: TestContext) => openService(context, 'sqlite', { testDatabase });

  test('the SQLite lock makes a second process fail to start before it has changed anything', async (context) => {
    const first = await start(context);
    await write(first.api);
    // The events of these writes get their numbers by a write of their own.
    await first.api.get('/api/v1/events', admin);
    const observer = new SQLite(file, { readonly: true });
    const before = observer.pragma('data_version');
    await assertStartFails(new URL(first.service.url).port);
    assert.deepEqual(observer.pragma('data_version'), before);
    observer.close();
    await assertWorks(first.api);
  });

  test('the SQLite lock holds for a link to the directory', async (context) => {
    await start(context);
    const link = join(testDatabase.directory, 'link');
    symlinkSync(testDatabase.directory, link);
    await assertLocked(link);
  });

  test('the SQLite lock holds for a link to a file that does not exist yet', async (context) => {
    const directory = join(testDatabase.directory, 'linked');
    mkdirSync(directory);
    rmSync(file);
    symlinkSync(file, join(directory, 'frontdesk.db'));
    const environment = { DATA_DIR: directory };
    await openService(context, 'sqlite', { testDatabase, environment });
    await assertLocked();
  });

  test('the SQLite lock is held until the last service of the process has stopped', async (context) => {
    const [first, second] = [await start(context), await start(context)];
    await first.stop();
    await assertLocked();
    await second.stop();
  });

  test('the SQLite lock is released by a failed start', async (context) => {
    const other = createServer().listen(0, '127.0.0.1');
    context.after(() => other.close());
    await new Promise((resolve) => other.on('listening', resolve));
    const { port } = other.address() as { port: number };
    await assert.rejects(startService('sqlite', { testDatabase, environment: { PORT: `${port}` } }));
    await (await startProcess(testDatabase)).kill('SIGTERM');
  });

  test('the SQLite lock is released by a kill, and does not move with the database file', async (context) => {
    const first = await startProcess(testDatabase);
    await write(first.api);
    await first.kill('SIGKILL');
    const elsewhere = await openTestDatabase(context, 'sqlite');
    for (const name of readdirSync(testDatabase.directory))
      renameSync(join(testDatabase.directory, name), join(elsewhere.directory, name));
    const here = await start(context);
    const there = await startProcess(elsewhere);
    for (const { api } of [here, there]) await assertWorks(api);
    await there.kill('SIGTERM');
  });

  test('the SQLite lock does not block commands of the operator', async (context) => {
    const service = await start(context);
    const { code, lines } = await runToEnd(['src/cli.ts', 'migrate'], toEnvironment(testDatabase));
    assert.deepEqual([code, lines], [0, ['The database is up to date.']]);
    await assertWorks(service.api);
  });
});
