import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../test/support/processes/commands.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../test/support/runner/engines.ts';
import { startService, toEnvironment } from '../../test/support/service.ts';
import { SecretKeyMismatch } from '../startup/secret-key-check.ts';

const OTHER_SECRET = 'another-secret-than-that-of-the-start';

describeOnEachEngine('cli', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());

  test('cli migrate creates the database and its directory, and reports the second time that it is up to date', async () => {
    const DATA_DIR = join(testDatabase.directory, 'created', 'by-migrate');
    const migrate = () => run(['migrate'], toEnvironment(testDatabase, { DATA_DIR }));
    const first = await migrate();
    assert.equal(first.code, 0, first.lines.join('\n'));
    assert.match(first.lines.join(), /^Applied \d+ migrations\.$/);
    assert.deepEqual((await migrate()).lines, ['The database is up to date.']);
  });

  test('cli accept-secret-key lets a service with another SECRET_KEY start on the database', async () => {
    await (await startService(engine, { testDatabase })).stop();
    const environment = { SECRET_KEY: OTHER_SECRET };
    await assert.rejects(startService(engine, { testDatabase, environment }), SecretKeyMismatch);
    const { code, lines } = await run(['accept-secret-key'], toEnvironment(testDatabase, environment));
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!lines.join().includes(OTHER_SECRET));
    const service = await startService(engine, { testDatabase, environment });
    assert.equal((await service.api.get('/readyz')).status, 200);
    await service.stop();
  });
});
