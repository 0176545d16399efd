import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../test/support/engines.ts';
import { FOREIGN_HASHES } from '../../../test/support/foreign-hashes.ts';
import { runToEnd } from '../../../test/support/process.ts';
import { environmentOf, newUserData, startService } from '../../../test/support/service.ts';
import { insertTestUser, register } from '../../../test/support/users.ts';

describeOnEachEngine('cli users export', (engine) => {
  let other: TestDatabase;
  before(async () => {
    other = await createTestDatabase(engine);
  });
  after(() => other.remove());

  test('writes a file that another instance imports: everybody can log in there with their password', async (context) => {
    const service = await startService(engine);
    context.after(service.stop);
    const run = (...args: string[]) =>
      runToEnd(['src/cli.ts', 'users', ...args], environmentOf(service.testDatabase));
    const user = await register(service, { ...newUserData(), name: 'Ada, "Countess"' });
    const [, { hash, password }] = FOREIGN_HASHES;
    const migrated = await insertTestUser(service.service.database, { passwordHash: hash });
    await service.api.post('/api/v1/users', { email: 'stranger@example.com' });

    const listed = await run('export', '--format', 'ndjson');
    assert.equal(listed.code, 0);
    const users = listed.lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      users.map(({ id }) => id),
      [user.id, migrated.id],
      'without records of anonymous callers',
    );
    assert.ok(!listed.lines.join().includes('password_hash'));
    assert.ok(!(await run('export')).lines.join().includes('$argon2'));

    for (const format of ['csv', 'ndjson']) {
      const file = join(service.testDatabase.directory, `export.${format}`);
      const { code } = await run('export', '--format', format, '--output', file, '--with-password-hashes');
      assert.equal(code, 0);
      assert.equal(statSync(file).mode & 0o077, 0);
      assert.ok(readFileSync(file, 'utf8').includes('$argon2id$'));
      const args = ['src/cli.ts', 'users', 'import', file, '--from-frontdesk', '--json'];
      const result = JSON.parse((await runToEnd(args, environmentOf(other))).lines.at(-1)!);
      const [imported, existing] = format === 'csv' ? [2, 0] : [0, 2];
      assert.deepEqual(result, { imported, existing, rejected: 0, interrupted: false });
    }
    const target = await startService(engine, { testDatabase: other });
    context.after(target.stop);
    const login = (email: string, given: string) => target.api.post('/api/login', { email, password: given });
    assert.equal((await login(user.email, user.password)).status, 200);
    assert.equal((await login(migrated.email!, password)).status, 200);
  });
});
