import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { EXPORTED_USERS, type ExpectedUser } from '../../../../../test/support/imports/exported-users.ts';
import { run } from '../../../../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../../../../test/support/runner/engines.ts';
import {
  admin,
  CHEAP_PREFIX,
  editor,
  toEnvironment,
  useService,
} from '../../../../../test/support/service.ts';
import { assertExactFigures } from '../../../../../test/support/statistics/statistics.ts';
import { findCredentials } from '../../../../features/users/records/queries.ts';

describeOnSqlite('cli users import --from', (engine) => {
  const service = useService(engine);
  const path = (name: string) => join(service.testDatabase.directory, name);

  async function start(args: readonly string[]) {
    const { code, lines } = await run(
      ['users', 'import', '--json', ...args],
      toEnvironment(service.testDatabase),
    );
    return { code, lines, result: code === 1 ? null : JSON.parse(lines.at(-1)!) };
  }

  const login = (email: string, password: string) => service.api.post('/api/login', { email, password });
  const findUser = async (email: string) => {
    const { body } = await service.api.get(`/api/v1/users?email=${email}`, admin);
    return body.data[0];
  };

  async function assertStored({ email, name, state, verified, createdAt, ...metadata }: ExpectedUser) {
    const user = await findUser(email);
    assert.deepEqual(
      [user.user_metadata, user.app_metadata],
      [metadata.userMetadata, metadata.appMetadata],
      email,
    );
    const verifiedAt =
      typeof verified === 'string' ? user.email_verified_at : user.email_verified_at !== null;
    assert.deepEqual(
      [user.name, user.state, verifiedAt, createdAt === null ? null : user.created_at],
      [name, state, verified, createdAt],
      email,
    );
  }

  async function assertPassword({ email, password, state }: ExpectedUser) {
    if (password === null) return;
    if (state === 'disabled') {
      const { id } = await findUser(email);
      const change = { state: 'active' };
      const options = editor;
      assert.equal((await service.api.patch(`/api/v1/users/${id}`, change, options)).status, 200);
    }
    assert.equal((await login(email, `${password}!`)).status, 401, email);
    assert.equal((await login(email, password)).status, 200, email);
    const credentials = await findCredentials(service.database, email);
    assert.ok(credentials?.password_hash?.includes(CHEAP_PREFIX), email);
    assert.equal((await login(email, password)).status, 200, email);
  }

  for (const { product, files, options, users, rejected, dropped, unusedPasswords } of EXPORTED_USERS) {
    test(`cli users import --from ${product} stores every user or says why not, keeps state, verification and passwords, and can be repeated`, async () => {
      for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
      const report = path(`${product}.report`);
      const pairs = Object.entries(options).flatMap(([option, name]) => [option, path(name)]);
      const args = ['--from', product, ...pairs, '--report', report, path(Object.keys(files)[0]!)];
      const counts = { imported: users.length, existing: 0, rejected: rejected.length };
      const rest = { dropped, unused_passwords: unusedPasswords, interrupted: false };

      const dryRun = await start([...args, '--dry-run']);
      assert.deepEqual(dryRun.result, { ...counts, ...rest, dry_run: true });
      assert.equal(await findUser(users[0]!.email), undefined, 'a dry run stores nothing');

      const first = await start(args);
      assert.deepEqual([first.code, first.result], [2, { ...counts, ...rest }]);
      const reasons = readFileSync(report, 'utf8').trim().split('\n');
      assert.equal(reasons.length, rejected.length);
      for (const reason of rejected) assert.ok(reasons.some((line) => reason.test(JSON.parse(line).reason)));
      for (const user of users) await assertStored(user);

      const second = await start(args);
      const repeated = { imported: 0, existing: users.length, rejected: rejected.length };
      assert.deepEqual(second.result, { ...repeated, ...rest });
      for (const user of users) await assertPassword(user);
      await assertExactFigures(service.database);
    });
  }

  test('cli users import --from pocketbase reads data.db without changing it, and another collection with --table', async () => {
    const file = path('data.db');
    const database = new Sqlite(file);
    database.exec(`
      create table members (id text, email text, name text, verified boolean, password text, created text);
      insert into members values ('1', 'member@pocketbase.example', 'Member', true,
        '$2a$05$yGIGJZqWrIFDutHvPXtFq.BoQ/Gez0hlGgu9BxuUbuJUv5WT45eym', '2024-01-31 12:00:00.000Z')`);
    database.close();
    const before = readFileSync(file);
    const { result } = await start(['--from', 'pocketbase', '--table', 'members', file]);
    assert.equal(result.imported, 1);
    assert.equal((await login('member@pocketbase.example', 'pocketbase first')).status, 200);
    assert.ok(readFileSync(file).equals(before));
    const missing = await start(['--from', 'pocketbase', file]);
    assert.deepEqual(missing.code, 1);
    assert.match(missing.lines.join(), /no such table: users/);
  });

  test('cli users import --from better-auth reads tables as CSV, with times in UTC or as seconds', async () => {
    const { files } = EXPORTED_USERS.find(({ product }) => product === 'better-auth')!;
    const { password } = JSON.parse(files['account.json']!)[0];
    const users = [
      'id,email,name,email_verified,created_at',
      '1,utc@better-auth.example,,t,2024-01-31 12:00:00',
      '2,seconds@better-auth.example,,f,1706702400',
    ];
    writeFileSync(path('user.csv'), users.join('\n'));
    writeFileSync(path('account.csv'), `user_id,provider_id,password\n1,credential,${password}\n2,google,`);
    const { result } = await start([
      ...['--from', 'better-auth', '--passwords', path('account.csv')],
      path('user.csv'),
    ]);
    assert.deepEqual([result.imported, result.unused_passwords], [2, 0]);
    for (const [name, state] of [
      ['utc', 'active'],
      ['seconds', 'unclaimed'],
    ]) {
      const user = await findUser(`${name}@better-auth.example`);
      assert.deepEqual([user.created_at, user.state], ['2024-01-31T12:00:00.000Z', state]);
    }
  });

  test('cli users import --from auth0 imports the export of password hashes alone', async () => {
    const { files } = EXPORTED_USERS.find(({ product }) => product === 'auth0')!;
    writeFileSync(path('alone.ndjson'), files['hashes.ndjson']!.replaceAll('@auth0', '@alone'));
    const { result } = await start(['--from', 'auth0', path('alone.ndjson')]);
    assert.equal(result.imported, 3);
    assert.equal((await login('ada@alone.example', 'auth0 first one')).status, 200);
  });

  test('cli users import --from reads several files, and names the file of each rejected user', async () => {
    const user = (email: string) => JSON.stringify({ users: [{ email, enabled: true }, {}] });
    const names = ['realm-users-0.json', 'realm-users-1.json'].map(path);
    for (const [index, name] of names.entries()) writeFileSync(name, user(`part-${index}@keycloak.example`));
    const { code, lines, result } = await start(['--from', 'keycloak', ...names]);
    assert.deepEqual([code, result.imported, result.rejected], [2, 2, 2]);
    for (const name of names) assert.ok(lines.some((line) => line.startsWith(`${name}: line 2: `)));
  });

  test('cli users import --from fails with 1 and one line for files and options that it cannot use', async () => {
    writeFileSync(path('cut.json'), '{"users":[{"email":"cut@keycloak.example"},{"em');
    writeFileSync(path('no-users.json'), '{"realm":"shop"}');
    writeFileSync(path('latin1.json'), Buffer.from('{"users":[{"email":"\xe9"}]}', 'latin1'));
    writeFileSync(path('config.txt'), 'algorithm: STANDARD_SCRYPT');
    writeFileSync(path('wrong.ndjson'), '{"passwordHash":"x"}\n');
    writeFileSync(path('empty.csv'), '\n');
    writeFileSync(path('twice.ndjson'), '{"_id":{"$oid":"1"},"passwordHash":"x"}\n'.repeat(2));
    const wrong: [string[], RegExp][] = [
      [['--from', 'keycloak', path('cut.json')], /not JSON with a list users/],
      [['--from', 'keycloak', path('no-users.json')], /no list users/],
      [['--from', 'keycloak', path('latin1.json')], /not UTF-8/],
      [['--from', 'keycloak', path('missing.json')], /missing\.json cannot be read: ENOENT/],
      [['--from', 'better-auth', path('empty.csv')], /the file is empty/],
      [['--from', 'firebase', '--hash-config', path('config.txt'), path('cut.json')], /not SCRYPT/],
      [['--from', 'auth0', '--passwords', path('wrong.ndjson'), path('cut.json')], /record 1 is not/],
      [['--from', 'auth0', '--passwords', path('twice.ndjson'), path('cut.json')], /record 2 is the second/],
      [['--from', 'keycloak', '--passwords', path('cut.json'), path('cut.json')], /--passwords is for/],
      [['--from', 'keycloak', '--hash-config', path('cut.json'), path('cut.json')], /--hash-config is for/],
      [['--from', 'keycloak', '--table', 'users', path('cut.json')], /--table is for/],
    ];
    for (const [args, message] of wrong) {
      const { code, lines } = await start(args);
      assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'));
      assert.match(lines[0]!, message);
    }
  });
});
