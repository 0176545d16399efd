import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import {
  assertHealth,
  assertOutage,
  assertWorks,
  read,
  write,
} from '../../../test/support/processes/outage.ts';
import { admin, startService, type TestService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const PAGE = 4096;

describe('a SQLite file with damaged pages', () => {
  let service: TestService;
  let file: string;
  beforeEach(async () => {
    service = await startService('sqlite');
    file = join(service.testDatabase.directory, 'frontdesk.db');
    for (let count = 0; count < 400; count++) await insertTestUser(service.database);
    await assertWorks(service.api);
  });
  afterEach(() => service.stop());

  /** Does something to the file by a connection that changes it, so that others drop their page caches. */
  function withOther<T>(use: (other: SQLite.Database) => T): T {
    const other = new SQLite(file);
    other.exec('create table if not exists other (id); insert into other values (1)');
    other.pragma('wal_checkpoint(TRUNCATE)');
    const result = use(other);
    other.close();
    return result;
  }

  /** Overwrites these pages. Returns the function that puts their content back. */
  function damage(pages: readonly number[]): () => void {
    const content = Buffer.alloc(PAGE);
    const saved = pages.map((page) => {
      const handle = openSync(file, 'r+');
      readSync(handle, content, 0, PAGE, (page - 1) * PAGE);
      writeSync(handle, Buffer.alloc(PAGE, 0xee), 0, PAGE, (page - 1) * PAGE);
      closeSync(handle);
      return [page, Buffer.from(content)] as const;
    });
    return () => {
      const handle = openSync(file, 'r+');
      for (const [page, bytes] of saved) writeSync(handle, bytes, 0, PAGE, (page - 1) * PAGE);
      closeSync(handle);
    };
  }

  const pagesFrom = (first: number) =>
    Array.from({ length: statSync(file).size / PAGE - first + 1 }, (_, index) => first + index);
  const list = (query: string) => service.api.get(`/api/v1/users?${query}`, admin);

  test('a damaged SQLite file makes lists, writes and readiness fail with 503 until it is repaired', async () => {
    const repair = withOther(() => damage(pagesFrom(2)));
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    assertOutage(await read(service.api));
    assertOutage(await write(service.api));
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    repair();
    await assertHealth(service.api, { livez: 200, readyz: 200 });
    assert.equal((await read(service.api)).status, 200);
    assert.equal((await write(service.api)).status, 201);
  });

  test('readiness fails from the first list that meets damaged SQLite pages until that list works again', async () => {
    const repair = withOther((other) => damage([leavesOfUsers(other)[1]!]));
    await assertHealth(service.api, { livez: 200, readyz: 200 });
    assertOutage(await list('limit=100'));
    assert.equal((await list('limit=1')).status, 200);
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    repair();
    await assertHealth(service.api, { livez: 200, readyz: 200 });
    assert.equal((await list('limit=100')).status, 200);
  });

  test('readiness fails from the first write that meets damaged SQLite pages until that write works again', async () => {
    const repair = withOther((other) => damage([leavesOfUsers(other).at(-1)!]));
    await assertHealth(service.api, { livez: 200, readyz: 200 });
    assertOutage(await write(service.api));
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    repair();
    const before = withOther((other) => other.prepare('select count(*) as count from users').get());
    await assertHealth(service.api, { livez: 200, readyz: 200 });
    const after = withOther((other) => other.prepare('select count(*) as count from users').get());
    assert.deepEqual(after, before, 'the check leaves no trace of the write');
    assert.equal((await write(service.api)).status, 201);
  });
});

/** The pages of the users, in the order of their ids: new records go to the last one. */
function leavesOfUsers(other: SQLite.Database): number[] {
  const query = "select pageno from dbstat where name = 'users' and pagetype = 'leaf' order by path";
  return other
    .prepare<[], { pageno: number }>(query)
    .all()
    .map(({ pageno }) => pageno);
}
