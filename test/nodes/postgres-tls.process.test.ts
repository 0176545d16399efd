import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../support/database.ts';
import { startProcess } from '../support/processes/process.ts';
import { describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';

describeOnPostgres('a connection to PostgreSQL without TLS', () => {
  const captureWarnings = async (testDatabase: TestDatabase) => {
    const service = await startProcess(testDatabase);
    const { lines } = await service.kill('SIGTERM');
    return lines.filter((line) => line.includes('sslmode=verify-full'));
  };

  test('a PostgreSQL connection without TLS is warned about once at the start, unless the server is local', async (context) => {
    const testDatabase = await openTestDatabase(context, 'postgres');
    assert.deepEqual(await captureWarnings(testDatabase), []);
    // An address of this machine that a program cannot know to be one.
    const url = testDatabase.url!.replace('127.0.0.1', '0.0.0.0');
    const warnings = await captureWarnings({ ...testDatabase, url });
    assert.equal(warnings.length, 1);
    assert.equal(JSON.parse(warnings[0]!).level, 40);
    assert.ok(!warnings[0]!.includes('postgres:postgres'));
  });
});
