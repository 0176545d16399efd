import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { run } from '../../../test/support/processes/commands.ts';
import { createCurrentDatabase, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, openService, toEnvironment, useSharedService } from '../../../test/support/service.ts';
import { HOUR } from '../../lib/time.ts';
import { recordBackup } from './status/backup-events.ts';

const PATH = '/api/v1/admin/backups';
const file = '/backups/frontdesk-20260101T000000Z.ndjson.zst';
const BACKUP = {
  kind: 'created',
  rows: 20,
  bytes: 1_000,
  durationMs: 30,
} as const;

describeOnSqlite('backups of the service', (engine) => {
  const off = useSharedService(engine);

  test('GET /api/v1/admin/backups returns no problem without BACKUP_DIR, and POST is rejected with 409', async () => {
    const { data } = (await off.api.get(PATH, admin)).body;
    assert.deepEqual(
      [data.schedule.directory, data.problem, data.next_at, data.backups],
      [null, null, null, []],
    );
    const { status, body } = await off.api.post(PATH, {}, admin);
    assert.deepEqual([status, body.code], [409, 'backups_disabled']);
    assert.equal((await off.api.get(PATH)).status, 401);
  });

  test('GET /api/v1/admin/backups lists backups with their verification and failures, and checks and doctor say what is wrong', async (context) => {
    const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
    const environment = { BACKUP_DIR: join(testDatabase.directory, 'backups'), BACKUP_EVERY: '0.5' };
    const time = { now: Date.now() - 2 * HOUR };
    const options = { testDatabase, environment, clock: () => time.now, monotonicClock: () => time.now };
    const { api, service } = await openService(context, engine, options);
    const read = async () => (await api.get(PATH, admin)).body.data;
    const check = async () => {
      const { checks } = (await api.get('/api/v1/admin/checks', admin)).body.data;
      const { status, message } = checks.find((each: { check: string }) => each.check === 'backups');
      return [status, message] as const;
    };
    assert.equal((await check())[0], 'ok');
    time.now += HOUR + 1;
    assert.equal((await read()).problem, 'there is no backup after 1.0 hours');
    await service.database.transaction(async (tx) => {
      await recordBackup(tx, BACKUP, { file, now: time.now });
      await recordBackup(tx, { kind: 'verified', durationMs: 30 }, { file, now: time.now + 5 });
    });
    const { problem, backups, created_at, next_at } = await read();
    assert.equal(problem, null);
    assert.deepEqual(
      [backups.length, backups[0].file, backups[0].bytes, Date.parse(backups[0].verified_at)],
      [1, 'frontdesk-20260101T000000Z.ndjson.zst', 1_000, time.now + 5],
    );
    assert.equal(Date.parse(next_at) - Date.parse(created_at), HOUR / 2);
    assert.match((await check())[1], /the last verified one of/);
    await service.database.transaction((tx) =>
      recordBackup(tx, { kind: 'failed', message: 'the disk is full' }, { file, now: time.now + 10 }),
    );
    assert.equal((await read()).backups[0].failure, 'the disk is full');
    time.now += 10_000;
    assert.deepEqual((await check())[0], 'warning');
    const { lines } = await run(['doctor'], toEnvironment(testDatabase, environment));
    assert.ok(lines.some((line) => /^warning +backups +the last backup failed: the disk is full/.test(line)));
    assert.equal((await api.post(PATH, {}, admin)).status, 202);
    assert.equal((await read()).is_requested, true);
  });
});
