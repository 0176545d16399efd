import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SOFTWARE_HASHES } from '../../../test/support/foreign-hashes.ts';
import { run } from '../../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { toEnvironment, useService } from '../../../test/support/service.ts';

const PREHASH_OPTIONS = { 'hmac-sha512': '--hmac-key', suffix: '--pepper', 'sha256-hex': '--prehash' };

describeOnSqlite('hashes that other software has made', (engine) => {
  const service = useService(engine);
  const path = (name: string) => join(service.testDatabase.directory, name);

  for (const [index, { service: software, password, hash, salt, prehash }] of SOFTWARE_HASHES.entries()) {
    test(`a user of ${software} cannot log in with a near miss, and can before and after the hash is replaced`, async () => {
      const email = `user-${index}@software.example`;
      writeFileSync(path('user.ndjson'), JSON.stringify({ email, password_hash: hash, password_salt: salt }));
      const option = prehash == null ? undefined : PREHASH_OPTIONS[prehash.name as 'suffix'];
      if (option !== undefined) writeFileSync(path('key'), prehash!.argument);
      const value = option === '--prehash' ? 'sha256-hex' : path('key');
      const args = option === undefined ? [] : [option, value];
      const { code, lines } = await run(
        ['users', 'import', path('user.ndjson'), ...args],
        toEnvironment(service.testDatabase),
      );
      assert.equal(code, 0, lines.join('\n'));
      const login = async (typed: string) =>
        (await service.api.post('/api/login', { email, password: typed })).status;
      assert.equal(await login(`${password}!`), 401);
      assert.equal(await login(password), 200);
      assert.equal(await login(password), 200);
      assert.equal(await login(`${password}!`), 401);
    });
  }
});
