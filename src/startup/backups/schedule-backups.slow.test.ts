import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { readDigests, runBackup, SECRET_KEY } from '../../../test/support/backups.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { migrations } from '../../../test/support/next-release/migrations.ts';
import {
  createCurrentDatabase,
  describeOnEachEngine,
  describeOnPostgres,
  describeOnSqlite,
  type Engine,
} from '../../../test/support/runner/engines.ts';
import { startService, toEnvironment } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';
import { readConfig } from '../../config.ts';
import { migrate } from '../../database/migrate.ts';
import { prepareAll } from '../../database/prepare.ts';
import { writeSetting } from '../../database/settings.ts';
import {
  findBackupProblem,
  REQUEST_SETTING,
  readBackupStatus,
  recordBackup,
} from '../../features/backups/status/backup-events.ts';
import { recordFile } from '../../features/backups/status/backup-files.ts';
import { takeLease } from '../../features/backups/status/lease.ts';
import { createLog } from '../../lib/log/log.ts';
import { HOUR } from '../../lib/time.ts';
import { startBackups } from './schedule-backups.ts';

const OPERATOR = 'operator@example.com';
const listMail = prepareAll<{ email: string; data: string }>(
  "select email, data from jobs where kind = 'backup_failed' order by id",
);

/** Starts a service that makes backups when the test says so. */
async function useBackups(context: TestContext, engine: Engine, more: Record<string, string> = {}) {
  const testDatabase = await createCurrentDatabase(engine);
  const directory = join(testDatabase.directory, 'backups');
  const environment = { SECRET_KEY, ...more };
  const service = await startService(engine, { testDatabase, environment });
  const config = readConfig(toEnvironment(testDatabase, { ...environment, BACKUP_DIR: directory }));
  const time = { now: Date.now() };
  const { database } = service;
  const logger = createLog('silent', { write: () => {} });
  const deps = { database, clock: () => time.now, logger, secretKey: SECRET_KEY, operatorEmail: OPERATOR };
  // What a process that was killed has left.
  mkdirSync(join(testDatabase.directory, '.drill-1-1'));
  const backups = startBackups(config, deps);
  assert.equal(existsSync(join(testDatabase.directory, '.drill-1-1')), false);
  context.after(async () => {
    await backups.close();
    await service.stop();
    await testDatabase.remove();
  });
  const list = () => readdirSync(directory).sort();
  const runWithAnotherKey = () => startBackups(config, { ...deps, secretKey: `${SECRET_KEY}!` }).run();
  return { service, testDatabase, database, directory, time, list, runWithAnotherKey, ...backups };
}

describeOnEachEngine('scheduled backups', (engine) => {
  test('a service makes and verifies a backup when it is due', async (context) => {
    const { service, database, list, run } = await useBackups(context, engine);
    await register(service);
    assert.equal(await run(), true);
    const first = await readBackupStatus(database, Date.now() + 1_000 * HOUR);
    assert.equal(first.failed, null);
    assert.equal(first.created?.file, list()[0]);
    assert.equal(first.verified?.file, list()[0]);
    assert.ok(first.created!.rows! > 10 && first.created!.bytes! > 100);
    assert.equal(await run(), false, 'the next one is due after a day');
  });

  test('a service whose backups fail keeps the verified one, the last that has failed, and files of others', async (context) => {
    const { database, directory, time, list, runWithAnotherKey } = await useBackups(context, engine, {
      BACKUP_KEEP: '1',
    });
    const foreign = ['frontdesk-20200101T000000Z.ndjson.zst', 'frontdesk-20991231T000000Z.ndjson.zst'];
    const verified = 'frontdesk-20210101T000000Z.ndjson.zst';
    mkdirSync(directory);
    for (const file of [...foreign, verified]) writeFileSync(join(directory, file), '');
    for (const state of ['created', 'verified'] as const)
      await database.transaction((tx) => recordFile(tx, { file: verified, state }));
    for (let hour = 0; hour < 2; hour++) {
      assert.equal(await runWithAnotherKey(), true);
      const { created, failed } = await readBackupStatus(database, time.now);
      assert.match(failed!.message!, /another SECRET_KEY/);
      assert.deepEqual(list(), [...foreign, verified, created!.file!].sort());
      time.now += HOUR;
    }
  });

  test('a service whose clock was ahead reports that backups are overdue, and makes one', async (context) => {
    const { database, time, run } = await useBackups(context, engine, { BACKUP_VERIFY: 'off' });
    const report = { kind: 'created', rows: 1, bytes: 1, durationMs: 1 } as const;
    await database.transaction((tx) =>
      recordBackup(tx, report, { file: 'ahead', now: time.now + 9_000 * HOUR }),
    );
    const options = { everyHours: 24, verifies: false, startedAt: time.now - 49 * HOUR, now: time.now };
    const problem = findBackupProblem(await readBackupStatus(database, time.now), options);
    assert.match(problem!, /^there is no backup after 49/);
    assert.equal(await run(), true);
    assert.equal(await run(), false);
  });

  test('a service on the schema of the next release makes a backup, and leaves the drill to nodes of that release', async (context) => {
    const { database, list, run } = await useBackups(context, engine);
    await migrate(database, migrations);
    assert.equal(await run(), true);
    const { created, verified, failed } = await readBackupStatus(database, Date.now() + 1_000 * HOUR);
    assert.deepEqual([created?.file, verified, failed], [list()[0], null, null]);
  });

  test('a service records why a backup failed, notifies the operator once, and tries again after an hour', async (context) => {
    const { database, directory, time, run } = await useBackups(context, engine, { BACKUP_VERIFY: 'off' });
    writeFileSync(directory, 'no directory');
    assert.equal(await run(), true);
    const { failed } = await readBackupStatus(database, Date.now() + 1_000 * HOUR);
    assert.match(failed!.message!, /EEXIST|ENOTDIR/);
    const [mail, ...others] = await listMail(database);
    assert.equal(mail!.email, OPERATOR);
    assert.equal(JSON.parse(mail!.data).reason, failed!.message);
    assert.equal(others.length, 0);
    assert.equal(await run(), false);
    time.now += HOUR;
    assert.equal(await run(), true);
    assert.equal((await listMail(database)).length, 1);
    rmSync(directory);
    mkdirSync(directory);
    time.now += HOUR;
    assert.equal(await run(), true);
    const { created } = await readBackupStatus(database, time.now);
    assert.equal(created!.at, time.now);
  });

  test('a service that stops ends the backup that it makes, without a failure', async (context) => {
    const { database, time, run, close } = await useBackups(context, engine);
    await database.transaction((tx) => writeSetting(tx, REQUEST_SETTING, '1'));
    const isMaking = Promise.withResolvers<void>();
    // The process stands still from its beginning: however late it is ended, the backup is not complete.
    const stand = (message: unknown) =>
      queueMicrotask(() => {
        (message as { process: ChildProcess }).process.kill('SIGSTOP');
        isMaking.resolve();
      });
    subscribe('child_process', stand);
    context.after(() => unsubscribe('child_process', stand));
    const making = run();
    await isMaking.promise;
    await close();
    await making;
    assert.equal((await readBackupStatus(database, time.now)).request, '1', 'the next start makes it');
    assert.equal((await readBackupStatus(database, Date.now() + 1_000 * HOUR)).failed, null);
  });
});

describeOnSqlite('backups of one engine', (engine) => {
  test('a service keeps as many backups as BACKUP_KEEP says', async (context) => {
    const { time, list, run } = await useBackups(context, engine, { BACKUP_KEEP: '2', BACKUP_VERIFY: 'off' });
    const names: string[] = [];
    for (let day = 0; day < 3; day++) {
      assert.equal(await run(), true);
      names.push(list().at(-1)!);
      time.now += 24 * HOUR;
    }
    assert.deepEqual(list(), names.slice(1));
  });

  for (const [kind, generate, verifies] of [
    ['X25519', generateX25519Identity, true],
    ['mlkem768x25519', generateHybridIdentity, false],
  ] as const)
    test(`a service encrypts a backup ${verifies ? 'that it has verified' : 'without a drill'} for a recipient of ${kind} and nothing weaker, and the backup is restored with the secret key`, async (context) => {
      const identity = await generate();
      const BACKUP_RECIPIENT = await identityToRecipient(identity);
      const { service, testDatabase, database, directory, list, run } = await useBackups(context, engine, {
        BACKUP_RECIPIENT,
        BACKUP_VERIFY: verifies ? 'on' : 'off',
      });
      await register(service);
      assert.equal(await run(), true);
      assert.match(list().join(), /^frontdesk-\d{8}T\d{6}Z\.ndjson\.zst\.age$/);
      const status = await readBackupStatus(database, Date.now() + 1_000 * HOUR);
      assert.equal(status.failed, null);
      assert.equal(status.verified !== null, verifies);
      const target = await openTestDatabase(context, engine);
      const header = readFileSync(join(directory, list()[0]!), 'latin1');
      assert.ok(header.startsWith('age-encryption.org/v1\n'));
      assert.equal(header.includes('-> X25519 '), kind === 'X25519');
      const key = join(target.directory, 'key.txt');
      writeFileSync(key, identity);
      const { code, lines } = await runBackup(target, [
        'restore',
        join(directory, list()[0]!),
        '--identity',
        key,
        '--keep-tokens',
      ]);
      assert.equal(code, 0, lines.join());
      const isAccount = (name: string) => ['users', 'tokens', 'known_networks'].includes(name);
      assert.deepEqual(await readDigests(target, isAccount), await readDigests(testDatabase, isAccount));
      assert.ok(
        !readdirSync(testDatabase.directory).some((name) => name.startsWith('.')),
        'no plain text is left',
      );
    });
});

describeOnPostgres('backups of several nodes', () => {
  test('one node of a database makes a backup at a time', async (context) => {
    const { database, time, run } = await useBackups(context, 'postgres', { BACKUP_VERIFY: 'off' });
    assert.notEqual(await takeLease(database, time.now), null);
    assert.equal(await run(), false);
    time.now += HOUR;
    assert.equal(await run(), true, 'the lease of a node that has ended expires');
  });
});
