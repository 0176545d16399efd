import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import {
  createBackup,
  otherEngine,
  readDigests,
  runBackup,
  SECRET_KEY,
  withOpened,
} from '../../test/support/backups.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  describeStorage,
} from '../../test/support/runner/engines.ts';
import { admin, newUserData, openService } from '../../test/support/service.ts';
import { insertTestUser, register } from '../../test/support/users.ts';
import type { Database } from '../database/database.ts';
import { compareSchema, migrate } from '../database/migrate.ts';
import { migrations } from '../database/migrations/index.ts';
import { hasRows, insertRows, type Table } from '../database/tables.ts';
import { writeBackupFile } from '../features/backups/create-backup.ts';
import { listStoredTables, SESSION_TABLES } from '../features/backups/format/manifest.ts';

const environment = { SECRET_KEY };
/** Columns with rules of their own. All other texts are the same, so that each row references others. */
const STATES: Readonly<Record<string, string>> = {
  users: 'active',
  idempotency_keys: 'done',
  forms: 'draft',
};

function createRow({ name, columns }: Table) {
  const values = {
    text: 'x "\\\n\u2028 é',
    integer: 8_640_000_000_000_000,
    float: 0.1,
    bytes: Buffer.from([0, 255, 10]),
  };
  return columns.map((column) => {
    if (column.name === 'state') return STATES[name] ?? 'x';
    // The restore corrects one that is not that of an earlier row.
    return column.name === 'previous_day' ? -1 : values[column.kind];
  });
}

/** Inserts a row into each empty table of a backup except `events`, and returns these tables. */
async function fillTables(database: Database): Promise<Table[]> {
  const filled: Table[] = [];
  for (const table of await listStoredTables(database, database.engine)) {
    if (table.name === 'events' || (await hasRows(database, [table]))) continue;
    await database.transaction((tx) => insertRows(tx, table, [createRow(table)]));
    filled.push(table);
  }
  return filled;
}

describeStorage('cli backup', (engine) => {
  test('cli backup restore fills every table of the other engine with the same rows', async (context) => {
    const source = await createCurrentDatabase(engine);
    const target = await createTestDatabase(otherEngine(engine));
    for (const { remove } of [source, target]) context.after(remove);
    await withOpened(source, fillTables);
    const file = await createBackup(source);
    const { code, lines } = await runBackup(target, ['restore', file, '--keep-tokens']);
    assert.equal(code, 0, lines.join('\n'));
    const digests = await readDigests(source);
    assert.deepEqual(await readDigests(target), digests);
    const empty = Object.keys(digests).filter((name) => digests[name]!.startsWith('0 '));
    assert.deepEqual(empty, [], 'every table has a row');
  });

  test('cli backup restore lets a service go on with accounts, tokens, search and figures', async (context) => {
    const source = await openService(context, engine, { environment });
    const user = newUserData();
    const { token } = await register(source, user);
    await source.api.delete('/api/v1/me/token', { token: (await register(source)).token });
    const file = await createBackup(source.testDatabase);
    const target = await createTestDatabase(otherEngine(engine));
    context.after(target.remove);
    assert.equal((await runBackup(target, ['restore', file, '--keep-tokens'])).code, 0);
    const service = await openService(context, otherEngine(engine), { environment, testDatabase: target });
    assert.equal((await service.api.get('/api/v1/me', { token })).body.data.email, user.email);
    assert.equal((await service.api.post('/api/login', user)).status, 200);
    const read = (path: string) => service.api.get(path, admin);
    const found = await read(`/api/v1/users?search=${encodeURIComponent(user.email.slice(0, 12))}`);
    assert.ok(found.body.data.some(({ email }: { email: string }) => email === user.email));
    const { data } = (await read('/api/v1/events?type=backup.restored')).body;
    assert.equal(data.length, 1);
  });

  test('cli backup restore rejects a database with users, replaces it on request, and keeps the old file', async (context) => {
    const source = await createCurrentDatabase(engine);
    const target = await createCurrentDatabase(engine);
    for (const { remove } of [source, target]) context.after(remove);
    const insert = (database: Parameters<typeof insertTestUser>[0]) => insertTestUser(database);
    await withOpened(source, insert);
    await withOpened(target, insert);
    const file = await createBackup(source);
    const before = await readDigests(target);
    const { code, lines } = await runBackup(target, ['restore', file]);
    assert.equal(code, 1);
    assert.match(lines.join(), /has users or events already: add --replace/);
    assert.deepEqual(await readDigests(target), before);
    assert.equal((await runBackup(target, ['restore', file, '--replace'])).code, 0);
    assert.deepEqual(await readDigests(target), await readDigests(source));
    const kept = readdirSync(target.directory).filter((name) => name.includes('.replaced-'));
    assert.equal(kept.length, engine === 'sqlite' ? 1 : 0);
  });

  test('cli backup restore rejects a file that a service uses', {
    skip: engine !== 'sqlite',
  }, async (context) => {
    const service = await openService(context, engine, { environment });
    const file = await createBackup(service.testDatabase);
    const { code } = await runBackup(service.testDatabase, ['restore', file]);
    assert.equal(code, 1);
  });

  // A contract migration may wait while later ones are applied.
  for (const [name, missing] of [
    ['of an older schema', null],
    ['without an earlier migration', 45],
  ] as const)
    test(`cli backup restore migrates a backup ${name}, and keeps its rows`, async (context) => {
      const source = await createTestDatabase(engine);
      const target = await createTestDatabase(otherEngine(engine));
      for (const { remove } of [source, target]) context.after(remove);
      const file = join(target.directory, 'older.zst');
      const filled = await withOpened(source, async (database) => {
        const steps = migrations.filter(({ version }) => version <= 46 && version !== missing);
        await migrate(database, steps);
        const tables = await fillTables(database);
        await writeBackupFile(database, file, { recipients: [] });
        return tables;
      });
      const { code, lines } = await runBackup(target, ['restore', file, '--keep-tokens']);
      assert.equal(code, 0, lines.join('\n'));
      await withOpened(target, async (database) => {
        const kept = filled.filter(({ name }) => !SESSION_TABLES.includes(name));
        for (const table of kept) assert.ok(await hasRows(database, [table]), table.name);
        assert.deepEqual(await compareSchema(database), { missing: 0, waiting: 0, newer: null });
      });
    });

  test('cli backup create writes a file for its owner, an event and nothing else', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    const file = await createBackup(source);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(source.directory).filter((name) => name.includes('backup')),
      ['backup.zst'],
    );
    const digests = await readDigests(source, (name) => name === 'events');
    assert.match(digests.events!, /^1 /);
  });

  if (engine === 'postgres') return;

  test('cli backup names a file or a key that cannot be used', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    const file = await createBackup(source);
    const { directory } = source;
    const missing = join(directory, 'missing', 'file');
    const wrong: [args: string[], line: string][] = [
      [['create', missing], `${missing} cannot be written: ENOENT`],
      [['create', directory], `${directory} cannot be written: EISDIR`],
      [['verify', missing], `${missing} is rejected: it cannot be read: ENOENT`],
      [['verify', directory], `${directory} is rejected: it cannot be read: EISDIR`],
      [['verify', file, '--identity', missing], `${missing} cannot be read: ENOENT`],
      [['create', file, '--recipient', 'key'], '--recipient must be a public key of age (age1…), not "key"'],
    ];
    for (const [args, line] of wrong) {
      const { code, lines } = await runBackup(source, args);
      assert.deepEqual([code, lines], [1, [`backup: ${line}`]]);
    }
  });

  test('cli backup create encrypts for age, and restore reads what age has encrypted', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    await withOpened(source, (database) => insertTestUser(database));
    const identity = await generateIdentity();
    const recipient = await identityToRecipient(identity);
    const encrypted = readFileSync(await createBackup(source, '--recipient', recipient));
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(encrypted);
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    const names = { 'ours.age': encrypted, 'theirs.age': await encrypter.encrypt(plain), 'plain.zst': plain };
    const key = join(source.directory, 'key.txt');
    writeFileSync(key, `# created: today\n${identity}\n`);
    for (const [name, content] of Object.entries(names)) {
      const target = await openTestDatabase(context, engine);
      const file = join(target.directory, name);
      writeFileSync(file, content);
      const { code, lines } = await runBackup(target, ['restore', file, '--identity', key]);
      assert.equal(code, 0, lines.join('\n'));
      assert.deepEqual(await readDigests(target), await readDigests(source));
    }
  });
});
