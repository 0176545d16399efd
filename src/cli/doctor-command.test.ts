import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from '../../test/support/engines.ts';
import { enqueue } from '../../test/support/mail.ts';
import { runToEnd, startProcess } from '../../test/support/process.ts';
import { environmentOf } from '../../test/support/service.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { openDatabase } from '../database/open.ts';
import { readSettings } from '../database/settings.ts';
import { DAY } from '../lib/clock.ts';

const FINE = {
  PUBLIC_URL: 'https://accounts.example.com',
  TRUST_PROXY: 'loopback',
  PASSWORD_POLICY: 'nist',
  SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
};

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

describeOnEachEngine('cli doctor', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runToEnd(['src/cli.ts', ...args], environmentOf(testDatabase, { ...FINE, ...environment }));

  async function findings(environment: Record<string, string> = {}) {
    const { code, lines } = await run(['doctor', '--json'], environment);
    const found: Finding[] = JSON.parse(lines.join('\n'));
    assert.equal(code, found.every(({ status }) => status === 'ok') ? 0 : 2);
    return (check: string) => found.filter((each) => each.check === check).map(({ status }) => status);
  }

  test('creates nothing where no database is, and says that the migration is missing', async () => {
    const of = await findings();
    assert.deepEqual(
      [...of('database'), ...of('schema')].filter((status) => status !== 'ok'),
      ['warning'],
    );
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  test('finds nothing wrong with a database that is current, and leaves nothing in it', async () => {
    assert.equal((await run(['migrate'])).code, 0);
    const of = await findings();
    for (const check of ['settings', 'database', 'schema', 'clock', 'rights', 'mail queue', 'disk'])
      assert.deepEqual(of(check), ['ok'], check);
    assert.deepEqual(of('mail'), ['warning'], 'without SMTP_URL');
    const { url, directory } = testDatabase;
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    assert.deepEqual(await readSettings(database, 'doctor'), []);
    const user = { userId: (await insertTestUser(database)).id, email: 'ada@example.com' };
    await enqueue(database, { kind: 'password_changed', ...user, now: Date.now() - DAY });
    await database.close();
    assert.deepEqual((await findings())('mail queue'), ['warning'], 'a message waits');
  });

  test('reports settings, an unreachable mail server and database, and prints one line for each', async () => {
    const advice = await findings({ PUBLIC_URL: '', PASSWORD_POLICY: 'contract' });
    assert.deepEqual(advice('settings'), ['ok', 'warning', 'warning']);
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' };
    assert.deepEqual((await findings(mail))('mail'), ['error']);
    const away = await findings({ DATABASE_URL: 'postgres://user:the-password@127.0.0.1:1/x' });
    assert.deepEqual(away('database'), ['error']);
    const { code, lines } = await run(['doctor'], { PORT: 'x' });
    assert.equal(code, 2);
    assert.match(lines.join('\n'), /^error {4}settings {4}PORT must be [^\n]*$/);
  });

  test('reports a secret file that other users can read', async () => {
    const file = join(testDatabase.directory, 'secret-key');
    writeFileSync(file, FINE.SECRET_KEY, { mode: 0o600 });
    assert.deepEqual((await findings({ SECRET_KEY: '' }))('secrets'), ['ok']);
    chmodSync(file, 0o644);
    assert.deepEqual((await findings({ SECRET_KEY: '' }))('secrets'), ['warning']);
  });
});

describe('cli admin-token rotate', () => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase('sqlite');
  });
  after(() => testDatabase.remove());
  const rotate = (environment: Record<string, string>) =>
    runToEnd(['src/cli.ts', 'admin-token', 'rotate'], environmentOf(testDatabase, environment));

  test('replaces the file, whose credential the service accepts after a restart instead of the old one', async () => {
    const file = join(testDatabase.directory, 'admin-token');
    const missing = await rotate({ ADMIN_TOKEN: '' });
    assert.deepEqual([missing.code, missing.lines.length], [1, 1]);
    const first = await startProcess(testDatabase, { ADMIN_TOKEN: '' });
    const old = readFileSync(file, 'utf8').trim();
    const { code, lines } = await rotate({ ADMIN_TOKEN: '' });
    assert.equal(code, 0, lines.join('\n'));
    assert.match(lines.join(), /Restart the service/);
    const rotated = readFileSync(file, 'utf8').trim();
    assert.notEqual(rotated, old);
    assert.ok(!lines.join().includes(rotated));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(testDatabase.directory).filter((name) => name.startsWith('admin-token')),
      ['admin-token'],
    );
    assert.equal((await first.api.get('/api/v1/admin/dashboard', { token: old })).status, 200);
    await first.kill('SIGTERM');
    const second = await startProcess(testDatabase, { ADMIN_TOKEN: '' });
    assert.equal((await second.api.get('/api/v1/admin/dashboard', { token: rotated })).status, 200);
    assert.equal((await second.api.get('/api/v1/admin/dashboard', { token: old })).status, 401);
    await second.kill('SIGTERM');
  });

  test('explains the rotation by the setting and exits with 1 when ADMIN_TOKEN is set', async () => {
    const { code, lines } = await rotate({});
    assert.deepEqual([code, lines.length], [1, 1]);
    assert.match(lines[0]!, /^admin-token: ADMIN_TOKEN is set: .*ADMIN_TOKEN=<new>,<old>/);
  });
});
