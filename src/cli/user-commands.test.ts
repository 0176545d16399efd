import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run as runCommand } from '../../test/support/processes/commands.ts';
import { listEvents } from '../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../test/support/runner/engines.ts';
import { newUserData, toEnvironment, useService } from '../../test/support/service.ts';
import { assertExactFigures } from '../../test/support/statistics/statistics.ts';
import { insertTestUser, register } from '../../test/support/users.ts';
import { setMetadataIndex } from '../features/users/records/metadata-index/metadata-index.ts';
import { newId } from '../lib/secrets/ids.ts';

describeOnEachEngine('cli users', (engine) => {
  const service = useService(engine);

  const run = (args: readonly string[], input = '') =>
    runCommand(args, toEnvironment(service.testDatabase), { input });

  async function create(...args: string[]) {
    const { name, email } = newUserData();
    const given = ['users', 'create', '--email', email, '--name', name, '--json', ...args];
    const { code, lines } = await run(given, 'a password of the operator\n');
    assert.equal(code, 0, lines.join('\n'));
    return { email, ...JSON.parse(lines.join('\n')) };
  }

  async function login(email: string, password: string) {
    return service.api.post('/api/login', { email, password });
  }

  test('cli users create with a password from standard input makes an account that can log in', async () => {
    const user = await create('--level', 'gold', '--password-stdin');
    assert.deepEqual([user.state, user.level], ['active', 'gold']);
    assert.equal((await login(user.email, 'a password of the operator')).status, 200);
    const events = await listEvents(service, user.id);
    assert.deepEqual(events, ['created by administrator', 'logged_in by user']);
  });

  test('cli users create without a password queues the message with a link to claim the account', async () => {
    const { name, email } = newUserData();
    const { code, lines } = await run(['users', 'create', '--email', email, '--name', name]);
    assert.equal(code, 0);
    assert.match(lines.join(), /^Created [\w-]{36}\. A message with a link to set the password is queued\.$/);
    const status = await run(['mail', 'status', '--json']);
    const { kinds } = JSON.parse(status.lines.join());
    assert.ok(kinds.some(({ kind }: { kind: string }) => kind === 'claim_account'));
  });

  test('cli users create fails with 1 and one line for an invalid or taken email and a short password', async () => {
    const { email } = await create();
    const wrong: [string[], RegExp][] = [
      [['--email', 'x', '--name', 'A'], /^users: The email field must be a valid email address\.$/],
      [['--email', email.toUpperCase(), '--name', 'A'], /^users: .*taken/],
      [['--email', 'b@example.com', '--name', 'A', '--password-stdin'], /^users: .*at least 8 characters\.$/],
    ];
    for (const [args, message] of wrong) {
      const { code, lines } = await run(['users', 'create', ...args], 'short\n');
      assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'));
      assert.match(lines[0]!, message);
    }
  });

  test('cli users create --password-stdin fails with 1 and creates nothing when the input is empty or blank', async () => {
    const { name, email } = newUserData();
    for (const input of ['', '\n', `${' '.repeat(8)}\n`]) {
      const args = ['users', 'create', '--email', email, '--name', name, '--password-stdin'];
      const { code, lines } = await run(args, input);
      assert.equal(code, 1);
      assert.deepEqual(lines, [
        'users: --password-stdin: standard input has no password, or one of white space only',
      ]);
      assert.equal((await run(['users', 'show', email])).code, 1);
    }
    assert.equal((await run(['users', 'create', '--email', email, '--name', name])).code, 0);
  });

  test('cli users list prints all users in pages and filters them, and show finds one by id and by email', async () => {
    const { database } = service.service;
    const evil = await insertTestUser(database, { name: 'A\u001b[31mB' });
    for (let count = 0; count < 510; count++) await insertTestUser(database, { state: 'disabled' });
    const all = await run(['users', 'list', '--json', '--state', 'disabled']);
    const ids = all.lines.map((line) => JSON.parse(line).id);
    assert.equal(new Set(ids).size, 510);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal((await run(['users', 'list', '--limit', '3'])).lines.length, 3);
    const { lines } = await run(['users', 'list', '--email', evil.email!.toUpperCase()]);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, new RegExp(`^${evil.id}  active .* ${evil.email}  A�\\[31mB$`));
    for (const argument of [evil.id, evil.email!]) {
      const shown = await run(['users', 'show', argument, '--json']);
      assert.equal(JSON.parse(shown.lines.join()).id, evil.id);
    }
    assert.match((await run(['users', 'show', evil.id])).lines.join('\n'), /^state +active$/m);
    const unknown = await run(['users', 'show', newId()]);
    assert.deepEqual([unknown.code, unknown.lines.length], [1, 1]);
  });

  test('cli users list searches, filters by time, level and verification, and sorts', async () => {
    const { database } = service.service;
    const add = (name: string, createdAt: number, level: string | null) =>
      insertTestUser(database, { name, createdAt, level });
    const zoe = await add('Zoë Quirk', Date.UTC(2020, 0, 1), 'gold');
    const ada = await add('Ada Quirk', Date.UTC(2020, 0, 2), null);
    const listIds = async (...args: string[]) => {
      const { code, lines } = await run(['users', 'list', '--json', '--search', 'QUIRK', ...args]);
      assert.equal(code, 0, lines.join());
      return lines.map((line) => JSON.parse(line).id);
    };
    assert.deepEqual(await listIds(), [zoe.id, ada.id]);
    assert.deepEqual(await listIds('--sort', '-created_at'), [ada.id, zoe.id]);
    assert.deepEqual(await listIds('--sort', 'name'), [ada.id, zoe.id]);
    assert.deepEqual(await listIds('--created-to', '2020-01-02'), [zoe.id]);
    assert.deepEqual(await listIds('--created-from', '2020-01-01T00:00:00.001Z'), [ada.id]);
    assert.deepEqual(await listIds('--level', 'gold'), [zoe.id]);
    assert.deepEqual(await listIds('--verified', 'true'), []);
    assert.deepEqual(await listIds('--last-login-from', '2020-01-01', '--last-login-to', '2030-01-01'), []);
  });

  test('cli users list filters by members of metadata that are indexed, and names those otherwise', async () => {
    const { database } = service.service;
    await setMetadataIndex(database, ['app_metadata.plan']);
    const { id } = await insertTestUser(database, { appMetadata: '{"plan":"pro"}' });
    await insertTestUser(database, { appMetadata: '{"plan":"free"}' });
    const found = await run(['users', 'list', '--json', '--metadata', 'app_metadata.plan:pro']);
    assert.deepEqual(
      found.lines.map((line) => JSON.parse(line).id),
      [id],
    );
    const { code, lines } = await run(['users', 'list', '--metadata', 'app_metadata.seats:3']);
    const message = '--metadata must begin with an indexed member and a colon; indexed is app_metadata.plan';
    assert.deepEqual([code, lines], [1, [`users: ${message}`]]);
  });

  test('cli users list fails with 1 and names the option for wrong values', async () => {
    const wrong: [string, string, RegExp][] = [
      ['--created-from', 'yesterday', /^users: --created-from must be a date/],
      ['--last-login-to', '2020-02-30', /^users: --last-login-to must be a date/],
      ['--search', ' ', /^users: --search must have/],
      ['--metadata', 'plan:pro', /^users: --metadata must be a member and its value/],
      ['--sort', 'level', /--sort/],
      ['--verified', 'yes', /--verified/],
    ];
    for (const [option, value, message] of wrong) {
      const { code, lines } = await run(['users', 'list', option, value]);
      assert.notEqual(code, 0);
      assert.match(lines.join('\n'), message);
    }
  });

  test('cli users disable ends the sessions and the logins of a user, and enable allows logins again', async () => {
    const user = await register(service);
    const disabled = await run(['users', 'disable', user.email]);
    assert.deepEqual([disabled.code, disabled.lines], [0, [`${user.id} is disabled.`]]);
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).status, 401);
    assert.equal((await login(user.email, user.password)).status, 401);
    assert.deepEqual((await run(['users', 'enable', user.id])).lines, [`${user.id} is active.`]);
    assert.equal((await login(user.email, user.password)).status, 200);
    const unclaimed = await create();
    const rejected = await run(['users', 'disable', unclaimed.id]);
    assert.equal(rejected.code, 1);
    assert.match(rejected.lines.join('\n'), /^users: .* is unclaimed/);
  });

  test('cli users delete needs --yes, and erases the user with exact figures', async () => {
    const user = await register(service);
    const asked = await run(['users', 'delete', user.email]);
    assert.deepEqual([asked.code, asked.lines], [1, [`users: add --yes to delete ${user.id} permanently`]]);
    const deleted = await run(['users', 'delete', user.email, '--yes']);
    assert.deepEqual([deleted.code, deleted.lines], [0, [`Deleted ${user.id}.`]]);
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).status, 401);
    await assertExactFigures(service.service.database);
  });

  test('cli users tokens revoke revokes all tokens of a user, who can log in again', async () => {
    const user = await register(service);
    const { code, lines } = await run(['tokens', 'revoke', '--user', user.email, '--json']);
    assert.deepEqual([code, JSON.parse(lines.join())], [0, { id: user.id, revoked: 1 }]);
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).status, 401);
    assert.equal((await login(user.email, user.password)).status, 200);
    assert.ok((await listEvents(service, user.id)).includes('tokens_revoked by administrator'));
  });

  test('cli users prints examples with --help of each command', async () => {
    for (const name of ['create', 'list', 'show', 'disable', 'enable', 'delete']) {
      const { code, lines } = await run(['users', name, '--help']);
      assert.equal(code, 0);
      assert.ok(
        lines.some((line) => line.includes(`npm run cli -- users ${name} `)),
        name,
      );
      assert.ok(
        lines.some((line) => /^Examples?:$/.test(line)),
        name,
      );
    }
  });
});
