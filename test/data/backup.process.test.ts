/** deploy/backup.sh with the database of a running service, if there is the sqlite3 program. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { newUserData, startService } from '../support/service.ts';

const SCRIPT = join(import.meta.dirname, '../../deploy/backup.sh');
const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
const DAY_SECONDS = 86_400;

test('deploy/backup.sh copies the database of a running service, and deletes copies that are too old', {
  skip: hasSqlite ? false : 'sqlite3 is not installed',
}, async (context) => {
  const { api, testDatabase, stop } = await startService('sqlite');
  context.after(stop);
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-backup-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const user = newUserData();
  assert.equal((await api.post('/api/register', user)).status, 201);
  for (const [name, days] of [
    ['frontdesk-old.db', 20],
    ['frontdesk-recent.db', 2],
    ['frontdesk-unfinished.db.part', 0],
  ] as const) {
    const path = join(directory, name);
    writeFileSync(path, '');
    const time = Date.now() / 1000 - days * DAY_SECONDS;
    utimesSync(path, time, time);
  }
  await promisify(execFile)(SCRIPT, [join(testDatabase.directory, 'frontdesk.db'), directory, '14']);
  const [copy, ...others] = readdirSync(directory).sort();
  assert.deepEqual(others, ['frontdesk-recent.db']);
  assert.match(copy!, /^frontdesk-\d{4}-\d{2}-\d{2}T\d{6}Z\.db$/);
  assert.equal(statSync(join(directory, copy!)).mode & 0o777, 0o600);
  const database = new Database(join(directory, copy!), { readonly: true });
  context.after(() => database.close());
  assert.deepEqual(database.prepare('select email from users').all(), [{ email: user.email }]);
});
