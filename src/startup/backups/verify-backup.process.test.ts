import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createBackup,
  readDigests,
  runBackup,
  SECRET_KEY,
  withOpened,
} from '../../../test/support/backups.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { createCurrentDatabase, describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, startService } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';
import { hasRows, listTables } from '../../database/tables.ts';
import { SEALED_COLUMNS } from '../../lib/secrets/encryption.ts';
import { silence } from './verify-backup.ts';

const environment = { SECRET_KEY };
const WEBHOOK = { url: 'https://example.com/hook' };

describeOnEachEngine('cli backup verify', (engine) => {
  test('cli backup verify restores a copy, uses a service on it, and says what it has checked', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    const service = await startService(engine, { testDatabase: source, environment });
    await register(service);
    const created = await service.api.post('/api/v1/webhooks', WEBHOOK, admin);
    assert.equal(created.status, 201);
    await service.stop();
    const file = await createBackup(source);
    const read = async () => [await readDigests(source, () => true), readdirSync(source.directory).sort()];
    const before = await read();
    const { code, lines } = await runBackup(source, ['verify', file]);
    assert.equal(code, 0, lines.join('\n'));
    for (const text of [
      'digest of each table',
      'the chain of',
      'integrity',
      '1 of 1 secrets',
      'GET /api/v1/me',
    ])
      assert.ok(
        lines.some((line) => line.startsWith('ok ') && line.includes(text)),
        `${text} in ${lines}`,
      );
    assert.deepEqual(await read(), before);

    writeFileSync(file, readFileSync(file).subarray(0, -30));
    const spoiled = await runBackup(source, ['verify', file]);
    assert.equal(spoiled.code, 1);
    assert.match(spoiled.lines.join(), /cut off/);
    assert.deepEqual(await read(), before);

    await withOpened(source, async (database) => {
      await silence(database);
      const tables = await listTables(database, database.engine);
      const silent = tables.filter(({ name }) => name === 'jobs' || name === 'webhook_endpoints');
      assert.equal(await hasRows(database, silent), false, 'nothing is left to send');
    });
  });

  test('cli backup verify knows the purpose of every column with bytes', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    const tables = await withOpened(source, (database) => listTables(database, database.engine));
    const columns = tables.flatMap(({ name, columns }) =>
      columns.filter(({ kind }) => kind === 'bytes').map((column) => `${name}.${column.name}`),
    );
    // The key of a stored response depends on that of its request.
    const responses = ['idempotency_keys.salt', 'idempotency_keys.sealed'];
    assert.deepEqual(columns.sort(), [...Object.values(SEALED_COLUMNS).flat(), ...responses].sort());
  });
});
