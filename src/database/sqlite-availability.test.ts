import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { assertHealth, assertOutage, assertWorks, read, write } from '../../test/support/outage.ts';
import { ADMIN_TOKEN, startService, type TestService } from '../../test/support/service.ts';

describe('the SQLite file locked by another program', () => {
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

  // The limit is what is tested: that neither the waits of those who wait together add up, nor what each asks at its end.
  test('writes get 503 in bounded time, reads are answered meanwhile', { timeout: 12_000 }, async () => {
    let waits = true;
    const answers = Promise.all(Array.from({ length: 300 }, () => write(service.api))).finally(() => {
      waits = false;
    });
    let reads = 0;
    for (; waits; reads++) assert.equal((await read(service.api)).status, 200);
    for (const answer of await answers) assertOutage(answer);
    assert.ok(reads > 10, `${reads} reads were answered while the writes waited`);
    other.exec('rollback');
    await assertWorks(service.api);
  });

  test('a write that waits goes on by itself when the lock goes', async () => {
    const answers = [write(service.api), write(service.api)];
    assert.equal((await read(service.api)).status, 200);
    other.exec('rollback');
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [201, 201],
    );
  });

  test('a reading program is in nobody\u2019s way', async () => {
    other.exec('rollback; begin; select count(*) from users');
    await assertWorks(service.api);
  });
});

describe('the SQLite file gone or replaced', () => {
  let service: TestService;
  let file: string;
  beforeEach(async () => {
    service = await startService('sqlite');
    file = join(service.testDatabase.directory, 'frontdesk.db');
    await assertWorks(service.api);
  });
  afterEach(() => service.stop());

  const assertRefusesWrites = async () => {
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
  /** Everybody that the database knows, in the order of their records. */
  const everybody = async () => {
    const { body } = await service.api.get('/api/v1/users?limit=100', { token: ADMIN_TOKEN });
    return body.data;
  };

  test('a file moved away: no write is acknowledged until it is back, and nothing is lost', async () => {
    const known = await everybody();
    renameSync(file, `${file}.away`);
    await assertRefusesWrites();
    renameSync(`${file}.away`, file);
    assert.deepEqual(await everybody(), known);
    await assertWorks(service.api);
  });

  test('a folder that leads nowhere any more is an outage until it is back', async () => {
    const { directory } = service.testDatabase;
    renameSync(directory, `${directory}-away`);
    // To itself: the one way into which the system lets nobody, not even root.
    symlinkSync(directory, directory);
    await assertRefusesWrites();
    rmSync(directory);
    renameSync(`${directory}-away`, directory);
    await assertWorks(service.api);
  });

  test('a backup in the place of the file is not mixed with it: it is used from the next start on', async () => {
    const known = await everybody();
    await backUp();
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    copyFileSync(`${file}.backup`, file);
    await assertRefusesWrites();
    const next = await startService('sqlite', { testDatabase: service.testDatabase });
    await assertWorks(next.api);
    const { body } = await next.api.get('/api/v1/users?limit=100', { token: ADMIN_TOKEN });
    assert.deepEqual(body.data.slice(0, known.length), known);
    await next.stop();
  });

  test('a backup put over the file alone is what the next start finds, not what the journal left behind says', async () => {
    const known = await everybody();
    await backUp();
    for (let index = 0; index < 20; index++) await write(service.api);
    renameSync(`${file}.backup`, file);
    await assertRefusesWrites();
    await service.service.stop();
    const next = await startService('sqlite', { testDatabase: service.testDatabase });
    const { body } = await next.api.get('/api/v1/users?limit=100', { token: ADMIN_TOKEN });
    await next.stop();
    assert.equal(body.data.length, known.length);
  });

  const impostors: Record<string, string | Uint8Array> = {
    'that is no database': 'no database, '.repeat(1_000),
    'that is empty': '',
  };
  for (const [name, content] of Object.entries(impostors)) {
    test(`another file ${name} in its place: no write is acknowledged until the right one is back`, async () => {
      const known = await everybody();
      renameSync(file, `${file}.away`);
      writeFileSync(file, content);
      await assertRefusesWrites();
      renameSync(`${file}.away`, file);
      await assertWorks(service.api);
      assert.deepEqual((await everybody()).slice(0, known.length), known);
    });
  }
});
