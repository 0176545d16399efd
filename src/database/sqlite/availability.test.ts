import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { fromConsole, signIn } from '../../../test/support/browser/console-session.ts';
import { pluck } from '../../../test/support/pluck.ts';
import {
  assertHealth,
  assertOutage,
  assertWorks,
  read,
  write,
} from '../../../test/support/processes/outage.ts';
import { admin, openService, startService, type TestService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { MINUTE } from '../../lib/time.ts';

describe('a SQLite file that another program has locked', () => {
  let service: TestService;
  let other: SQLite.Database;
  before(async () => {
    service = await startService('sqlite');
    other = new SQLite(join(service.testDatabase.directory, 'frontdesk.db'));
  });
  after(async () => {
    other.close();
    await service.stop();
  });
  beforeEach(() => other.exec('begin exclusive'));
  afterEach(() => other.inTransaction && other.exec('rollback'));

  // The test's own time-out is the assertion: the waits of queued writes do not add up.
  test('a locked SQLite file makes writes fail with 503 in bounded time, during which reads succeed', {
    timeout: 60_000,
  }, async () => {
    let waits = true;
    const responses = Promise.all(Array.from({ length: 60 }, () => write(service.api))).finally(() => {
      waits = false;
    });
    let reads = 0;
    const readUntilOver = async () => {
      assert.equal((await read(service.api)).status, 200);
      reads++;
      return !waits;
    };
    await until(readUntilOver, 'the writes have failed');
    for (const response of await responses) assertOutage(response);
    // Writes that block the process let one read through, after them.
    assert.ok(reads > 1, `${reads} reads while the writes waited`);
    other.exec('rollback');
    await assertWorks(service.api);
  });

  test('a locked SQLite file leaves the console readable, whose sessions then record no use', async (context) => {
    let now = Date.now();
    const node = await openService(context, 'sqlite', { clock: () => now });
    const cookie = await signIn(node);
    const lock = new SQLite(join(node.testDatabase.directory, 'frontdesk.db'));
    context.after(() => lock.close());
    lock.exec('begin exclusive');
    now += 2 * MINUTE;
    assert.equal((await node.api.get('/api/v1/users?limit=1', fromConsole(cookie))).status, 200);
    now += 29 * MINUTE;
    assert.equal((await node.api.get('/api/v1/users?limit=1', fromConsole(cookie))).status, 401);
    lock.exec('rollback');
  });

  test('a locked SQLite file lets waiting writes succeed when the lock is released', async () => {
    const responses = [write(service.api), write(service.api)];
    assert.equal((await read(service.api)).status, 200);
    other.exec('rollback');
    assert.deepEqual(pluck(await Promise.all(responses), 'status'), [201, 201]);
  });

  test('reads and writes succeed while another program only reads the SQLite file', async () => {
    other.exec('rollback; begin; select count(*) from users');
    await assertWorks(service.api);
  });
});

describe('a SQLite file that is missing or replaced', () => {
  let service: TestService;
  let file: string;
  beforeEach(async () => {
    service = await startService('sqlite');
    file = join(service.testDatabase.directory, 'frontdesk.db');
    await assertWorks(service.api);
  });
  afterEach(() => service.stop());

  const assertRejectsWrites = async () => {
    assertOutage(await write(service.api));
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    assert.ok([200, 503].includes((await read(service.api)).status), 'a read may fail, but not as a fault');
    assertOutage(await write(service.api));
  };
  const backUp = async () => {
    const source = new SQLite(file, { readonly: true });
    await source.backup(`${file}.backup`);
    source.close();
  };
  /** Returns all users, ordered by id. */
  const allUsers = async () => {
    const { body } = await service.api.get('/api/v1/users?limit=100', admin);
    return body.data;
  };

  test('a SQLite file that is moved away acknowledges no write, and loses nothing', async () => {
    const known = await allUsers();
    renameSync(file, `${file}.away`);
    await assertRejectsWrites();
    renameSync(`${file}.away`, file);
    assert.deepEqual(await allUsers(), known);
    await assertWorks(service.api);
  });

  test('a SQLite file makes writes fail with 503 while its directory is moved away', async () => {
    const { directory } = service.testDatabase;
    renameSync(directory, `${directory}-away`);
    // A link to itself cannot be followed by anyone, not even by root.
    symlinkSync(directory, directory);
    await assertRejectsWrites();
    rmSync(directory);
    renameSync(`${directory}-away`, directory);
    await assertWorks(service.api);
  });

  test('a SQLite file is not mixed with a backup put in its place, which the next start opens', async () => {
    const known = await allUsers();
    await backUp();
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    copyFileSync(`${file}.backup`, file);
    await assertRejectsWrites();
    const next = await startService('sqlite', { testDatabase: service.testDatabase });
    await assertWorks(next.api);
    const { body } = await next.api.get('/api/v1/users?limit=100', admin);
    assert.deepEqual(body.data.slice(0, known.length), known);
    await next.stop();
  });

  test('a SQLite file does not apply its journal to a backup that was moved over it', async () => {
    const known = await allUsers();
    await backUp();
    for (let index = 0; index < 20; index++) await write(service.api);
    renameSync(`${file}.backup`, file);
    await assertRejectsWrites();
    await service.service.stop();
    const next = await startService('sqlite', { testDatabase: service.testDatabase });
    const { body } = await next.api.get('/api/v1/users?limit=100', admin);
    await next.stop();
    assert.equal(body.data.length, known.length);
  });

  const impostors: Record<string, string | Uint8Array> = {
    'that is no database': 'no database, '.repeat(1_000),
    'that is empty': '',
  };
  for (const [name, content] of Object.entries(impostors)) {
    test(`a SQLite file acknowledges no write while another file ${name} is in its place`, async () => {
      const known = await allUsers();
      renameSync(file, `${file}.away`);
      writeFileSync(file, content);
      await assertRejectsWrites();
      renameSync(`${file}.away`, file);
      await assertWorks(service.api);
      assert.deepEqual((await allUsers()).slice(0, known.length), known);
    });
  }
});
