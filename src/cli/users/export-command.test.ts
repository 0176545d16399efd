import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FOREIGN_HASHES } from '../../../test/support/foreign-hashes.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { run as runCommand } from '../../../test/support/processes/commands.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import { admin, newUserData, openService, toEnvironment } from '../../../test/support/service.ts';
import { insertTestUser, register } from '../../../test/support/users.ts';

describeOnEachEngine('cli users export', (engine) => {
  let other: TestDatabase;
  before(async () => {
    other = await createTestDatabase(engine);
  });
  after(() => other.remove());

  test('cli users export writes a file that another instance imports, where everybody can log in', async (context) => {
    const service = await openService(context, engine);
    const run = (...args: string[]) => runCommand(['users', ...args], toEnvironment(service.testDatabase));
    const user = await register(service, { ...newUserData(), name: '=1+1, "Ada"' });
    const { hash, password } = FOREIGN_HASHES[1]!;
    const migrated = await insertTestUser(service.database, { passwordHash: hash });
    await service.api.post('/api/v1/users', { email: 'anonymous@example.com' });

    const listed = await run('export', '--format', 'ndjson');
    assert.equal(listed.code, 0);
    const users = listed.lines.map((line) => JSON.parse(line));
    assert.deepEqual(pluck(users, 'id'), [user.id, migrated.id], 'without records of anonymous callers');
    assert.ok(!listed.lines.join().includes('password_hash'));
    const { stdout } = await run('export', '--output', '-');
    assert.ok(stdout.includes(migrated.id) && !stdout.includes('$argon2'));

    for (const format of ['csv', 'ndjson']) {
      const file = join(service.testDatabase.directory, `export.${format}`);
      const { code } = await run('export', '--format', format, '--output', file, '--with-password-hashes');
      assert.equal(code, 0);
      assert.equal(statSync(file).mode & 0o077, 0);
      assert.ok(readFileSync(file, 'utf8').includes('$argon2id$'));
      const args = ['users', 'import', file, '--from-frontdesk', '--json'];
      const result = JSON.parse((await runCommand(args, toEnvironment(other))).lines.at(-1)!);
      const [imported, existing] = format === 'csv' ? [2, 0] : [0, 2];
      assert.deepEqual(result, { imported, existing, rejected: 0, interrupted: false });
    }
    const target = await openService(context, engine, { testDatabase: other });
    const login = (email: string, given: string) => target.api.post('/api/login', { email, password: given });
    assert.equal((await login(user.email, user.password)).status, 200);
    const find = async ({ api }: typeof service) => {
      const query = `email=${encodeURIComponent(user.email)}`;
      const [{ name, created_at }] = (await api.get(`/api/v1/users?${query}`, admin)).body.data;
      return [name, created_at];
    };
    assert.deepEqual(await find(target), await find(service));
    assert.equal((await login(migrated.email!, password)).status, 200);
  });

  if (engine === 'postgres') return;

  test('cli users export replaces a file that others can read by one for its owner only, once complete', async (context) => {
    const directory = mkdtempSync(join(other.directory, 'output-'));
    context.after(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'users.csv');
    writeFileSync(path, 'before', { mode: 0o644 });
    const environment = toEnvironment(other);
    const args = ['users', 'export', '--output', path];
    const onInterrupt = (interrupt: () => void) => interrupt();
    const interrupted = await runCommand(args, environment, { onInterrupt });
    assert.deepEqual(
      [interrupted.code, interrupted.lines],
      [1, [`users: interrupted: ${path} was not written`]],
    );
    assert.deepEqual([readdirSync(directory), readFileSync(path, 'utf8')], [['users.csv'], 'before']);
    assert.equal((await runCommand(args, environment)).code, 0);
    assert.match(readFileSync(path, 'utf8'), /^id,email,/);
    assert.deepEqual([readdirSync(directory), statSync(path).mode & 0o777], [['users.csv'], 0o600]);
  });

  test('cli users export replaces the file that a link names, and writes to a device as it is', async (context) => {
    const directory = mkdtempSync(join(other.directory, 'output-'));
    context.after(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'users.csv'), 'before');
    symlinkSync('users.csv', join(directory, 'link'));
    const run = (path: string) => runCommand(['users', 'export', '--output', path], toEnvironment(other));
    assert.equal((await run(join(directory, 'link'))).code, 0);
    assert.ok(lstatSync(join(directory, 'link')).isSymbolicLink());
    assert.match(readFileSync(join(directory, 'users.csv'), 'utf8'), /^id,email,/);
    assert.equal((await run('/dev/null')).code, 0);
    assert.ok(statSync('/dev/null').isCharacterDevice());
  });

  test('cli users export fails with 1 and one line when the file cannot be created', async () => {
    const path = join(other.directory, 'missing', 'users.csv');
    const { code, lines } = await runCommand(['users', 'export', '--output', path], toEnvironment(other));
    assert.deepEqual([code, lines], [1, [`users: ${path} cannot be written: ENOENT`]]);
  });
});
