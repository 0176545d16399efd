import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useTestDatabase } from '../../test/support/database.ts';
import { enqueue } from '../../test/support/mail.ts';
import { run as runCommand } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { toEnvironment } from '../../test/support/service.ts';
import { startIssuer } from '../../test/support/upstream/issuer.ts';
import { LOOPBACK_ALLOWED } from '../../test/support/upstream/sign-in.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { openDatabase } from '../database/open.ts';
import { readSettings } from '../database/settings.ts';
import { createApplication } from '../features/applications/change-application.ts';
import { insertProvider } from '../features/identity-providers/queries.ts';
import { insertPasskey } from '../features/people/passkeys/queries.ts';
import { newId } from '../lib/secrets/ids.ts';
import { DAY } from '../lib/time.ts';

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

describeOnSqlite('cli doctor', (engine) => {
  const testDatabase = useTestDatabase(engine);
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runCommand(args, toEnvironment(testDatabase, { ...FINE, ...environment }));

  async function findings(environment: Record<string, string> = {}) {
    const { code, lines } = await run(['doctor', '--json'], environment);
    const found: Finding[] = JSON.parse(lines.join('\n'));
    assert.equal(code, found.every(({ status }) => status === 'ok') ? 0 : 2);
    return (check: string) => found.filter((each) => each.check === check).map(({ status }) => status);
  }

  test('cli doctor creates nothing where no database is, and reports that the migration is missing', async () => {
    const of = await findings();
    assert.deepEqual(
      [...of('database'), ...of('schema')].filter((status) => status !== 'ok'),
      ['warning'],
    );
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  test('cli doctor lists all mistyped names of settings with what they should be', async () => {
    const { code, lines } = await run(['doctor'], { REGISTRATON: 'closed', PUBLIC_ULR: 'https://a.example' });
    assert.deepEqual(lines.map((line) => line.replace(/ +/g, ' ')).sort(), [
      'error settings PUBLIC_ULR is not the name of a setting: did you mean PUBLIC_URL?',
      'error settings REGISTRATON is not the name of a setting: did you mean REGISTRATION?',
    ]);
    assert.equal(code, 2);
  });

  test('cli doctor finds nothing wrong with a current database, and leaves nothing in it', async () => {
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
    const application = { name: 'Wiki', kind: 'public' } as const;
    await database.transaction((tx) => createApplication(tx, application, Date.now()));
    await database.close();
    assert.deepEqual((await findings())('mail queue'), ['warning'], 'a message waits');
    assert.deepEqual((await findings())('applications'), []);
    for (const PUBLIC_URL of ['', 'http://accounts.example.com'])
      assert.deepEqual((await findings({ PUBLIC_URL }))('applications'), ['warning']);
  });

  test('cli doctor warns of a credential that may forward clients from an address in TRUST_PROXY', async () => {
    assert.equal((await run(['migrate'])).code, 0);
    const create = (name: string, ...options: string[]) =>
      run(['credentials', 'create', name, '--scopes', ...options]);
    await create('reader', 'users:read');
    await create('site', 'clients:forward', '--networks', '127.0.0.1');
    assert.deepEqual((await findings())('credentials'), []);
    await create('anywhere', 'clients:forward');
    assert.deepEqual((await findings())('credentials'), ['warning']);
    assert.deepEqual((await findings({ TRUST_PROXY: '' }))('credentials'), []);
    const { lines } = await run(['doctor']);
    assert.match(
      lines.filter((line) => line.includes('credentials ')).join(),
      /^warning {2}credentials {2}anywhere may forward clients from addresses in TRUST_PROXY: [^,]*$/,
    );
  });

  test('cli doctor names the enabled identity providers that cannot be reached, and those that can', async (context) => {
    assert.equal((await run(['migrate'])).code, 0);
    const issuer = await startIssuer();
    context.after(() => issuer.close());
    const { url, directory } = testDatabase;
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    const common = { kind: 'oidc', client_id: 'c', client_secret: Buffer.from(''), scopes: '' } as const;
    const row = { ...common, trust_email: 0, enabled: 1, created_at: 0, updated_at: 0, version: 1 };
    await database.transaction(async (tx) => {
      await insertProvider(tx, { ...row, id: newId(), name: 'Near', issuer: issuer.url });
      await insertProvider(tx, { ...row, id: newId(), name: 'Away', issuer: 'http://127.0.0.1:1' });
      await insertProvider(tx, {
        ...row,
        id: newId(),
        name: 'Off',
        issuer: 'http://127.0.0.1:1',
        enabled: 0,
      });
      await insertProvider(tx, { ...row, id: newId(), name: 'GitHub', issuer: issuer.url, kind: 'github' });
    });
    await database.close();
    const { lines } = await run(['doctor'], LOOPBACK_ALLOWED);
    const found = lines.filter((line) => line.includes('providers')).map((line) => line.replace(/ +/g, ' '));
    assert.deepEqual(found, [
      'ok providers Near can be reached',
      'error providers Nobody can sign in with Away: http://127.0.0.1:1/.well-known/openid-configuration could not be read: refused.',
    ]);
  });

  test('cli doctor reports settings, an unreachable mail server and database, with one line for each', async () => {
    const advice = await findings({ PUBLIC_URL: '', PASSWORD_POLICY: 'contract' });
    assert.deepEqual(advice('settings'), ['ok', 'warning', 'warning']);
    for (const [PUBLIC_URL, expected] of [
      ['http://accounts.example.com', ['ok', 'warning', 'warning']],
      ['http://localhost:3000', ['ok']],
    ] as const)
      assert.deepEqual((await findings({ PUBLIC_URL }))('settings'), expected, PUBLIC_URL);
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' };
    assert.deepEqual((await findings(mail))('mail'), ['error']);
    const away = await findings({ DATABASE_URL: 'postgres://user:the-password@127.0.0.1:1/x' });
    assert.deepEqual(away('database'), ['error']);
    const { code, lines } = await run(['doctor'], { PORT: 'x' });
    assert.equal(code, 2);
    assert.match(lines.join('\n'), /^error {4}settings {4}PORT must be [^\n]*$/);
  });

  test('cli doctor reports an address without passkeys, and passkeys of a domain that PUBLIC_URL has left', async () => {
    for (const PUBLIC_URL of ['https://192.0.2.1', 'https://[2001:db8::1]'])
      assert.deepEqual((await findings({ PUBLIC_URL }))('settings'), ['ok', 'warning'], PUBLIC_URL);
    const database = openDatabase({
      ...{ databaseUrl: testDatabase.url, dataDir: testDatabase.directory, databasePool: 1 },
    });
    const { id: user_id } = await insertTestUser(database);
    const row = { user_id, public_key: '', counter: 0, transports: '', aaguid: '', name: 'Passkey' };
    const more = { backup_eligible: 0, backed_up: 0, created_at: 0, last_used_at: null };
    await database.transaction((tx) =>
      insertPasskey(tx, { id: newId(), credential_id: 'id', rp_id: 'accounts.example.com', ...row, ...more }),
    );
    await database.close();
    assert.deepEqual((await findings())('passkeys'), []);
    for (const environment of [
      { PUBLIC_URL: 'https://id.example.org' },
      { PUBLIC_URL: 'https://accounts.example.com', RP_ID: 'example.com' },
      { PUBLIC_URL: '' },
    ]) {
      const { lines } = await run(['doctor'], environment);
      const found = lines.filter((line) => line.includes('passkeys of'));
      assert.equal(found.length, 1);
      assert.match(
        found[0]!,
        /^warning +passkeys +there are passkeys of accounts\.example\.com, which nobody can use/,
      );
    }
  });

  test('cli doctor names the shell and .env whose settings it has checked, and the checks of a running node', async () => {
    const directory = mkdtempSync(join(testDatabase.directory, 'working-'));
    const file = join(directory, '.env');
    const { PUBLIC_URL, ...others } = FINE;
    const messages = async () => {
      const { stdout } = await runCommand(['doctor', '--json'], toEnvironment(testDatabase, others), {
        directory,
      });
      const found: Finding[] = JSON.parse(stdout);
      return found.filter(({ check }) => check === 'settings').map(({ message }) => message);
    };
    const nodes = 'a running node may have others, which GET /api/v1/admin/checks checks';
    const [none, advice] = await messages();
    assert.equal(none, `The settings of this shell (there is no ${file}) are valid; ${nodes}`);
    assert.ok(advice?.startsWith(`in this shell (there is no ${file}): PUBLIC_URL is not set`), `${advice}`);
    writeFileSync(file, `PUBLIC_URL=${PUBLIC_URL}\n`);
    assert.deepEqual(await messages(), [`The settings of this shell and ${file} are valid; ${nodes}`]);
    writeFileSync(file, 'DATABASE_POOL=x\n');
    assert.deepEqual(await messages(), [
      `DATABASE_POOL must be a whole number from 1 to 1000, not "x" (in ${file})`,
    ]);
  });

  test('cli doctor reports a secret file that other users can read', async () => {
    const file = join(testDatabase.directory, 'secret-key');
    writeFileSync(file, FINE.SECRET_KEY, { mode: 0o600 });
    assert.deepEqual((await findings({ SECRET_KEY: '' }))('secrets'), ['ok']);
    chmodSync(file, 0o644);
    assert.deepEqual((await findings({ SECRET_KEY: '' }))('secrets'), ['warning']);
  });
});
