/** Backups beside writers, and a series of kill -9 while backups are made, restored and verified. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../support/api.ts';
import {
  createBackup,
  otherEngine,
  readDigests,
  runBackup,
  SECRET_KEY,
  withOpened,
} from '../support/backups.ts';
import { openTestDatabase } from '../support/database.ts';
import { numberAllEvents } from '../support/events.ts';
import { assertEffects, assertRecorded, readStoredEvents } from '../support/kills/stored-events.ts';
import { type Ledger, writeUntilKilled } from '../support/kills/writers.ts';
import { run } from '../support/processes/process.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
  untilUnused,
} from '../support/runner/engines.ts';
import { openService, toEnvironment } from '../support/service.ts';
import { until } from '../support/until.ts';
import { insertTestUser } from '../support/users.ts';

const BACKUPS = Number(process.env.BACKUPS ?? 50);
const KILLS = 20;
/** Writes between two backups. */
const MIN_WRITES = 20;
const USERS = 2_000;

const isScratch = (name: string) => name.startsWith('.');

async function fill(testDatabase: TestDatabase): Promise<void> {
  await withOpened(testDatabase, async (database) => {
    for (let count = 0; count < USERS; count++) await insertTestUser(database);
  });
}

/** Kills the command at a different time of its run in each round, and calls `check` after it. */
async function killOften(
  testDatabase: TestDatabase,
  args: readonly string[],
  check: () => Promise<void>,
): Promise<void> {
  const environment = toEnvironment(testDatabase, { SECRET_KEY });
  // That of the fastest run so far, because the machine may have been busy.
  let duration = Number.POSITIVE_INFINITY;
  for (let killed = 0; killed < KILLS; ) {
    const start = performance.now();
    const { child, ending } = run(['src/cli.ts', 'backup', ...args], environment);
    const time = (duration * (killed + 0.5)) / KILLS;
    await Promise.race([time === Number.POSITIVE_INFINITY ? ending : delay(time), ending]);
    child.kill('SIGKILL');
    const { code, signal } = await ending;
    await untilUnused(testDatabase);
    if (signal === 'SIGKILL') killed++;
    else assert.equal(code, 0);
    if (signal === null) duration = Math.min(duration, performance.now() - start);
    await check();
  }
  assert.equal((await runBackup(testDatabase, args)).code, 0);
}

describeOnEachEngine('backups under load and kill -9', (engine) => {
  test('backups beside concurrent writers have every write that was acknowledged before, and none by half', {
    timeout: 1_200_000,
  }, async (context) => {
    const service = await openService(context, engine, { environment: { SECRET_KEY } });
    const ledger: Ledger = new Map();
    let isStopped = false;
    // The clients pause while a backup is restored: otherwise, each has to restore all writes of that time, too.
    let writing = Promise.withResolvers<void>();
    const request: Api['request'] = async (...parameters) => {
      await writing.promise;
      if (isStopped) throw new Error('stopped');
      return service.api.request(...parameters);
    };
    const api = { ...service.api, request };
    const clients = Array.from({ length: 4 }, () => writeUntilKilled({ api, ledger, onResponse: () => {} }));
    for (let count = 0; count < BACKUPS; count++) {
      writing.resolve();
      const enough = ledger.size + MIN_WRITES;
      await until(() => ledger.size >= enough, 'clients write');
      const acknowledged = new Set([...ledger.keys()].filter((id) => ledger.get(id)!.isAcknowledged));
      const file = await createBackup(service.testDatabase);
      writing = Promise.withResolvers();
      const target = await createTestDatabase(otherEngine(engine));
      const { code, lines } = await runBackup(target, ['restore', file, '--keep-tokens']);
      assert.equal(code, 0, lines.join('\n'));
      await withOpened(target, async (database) => {
        await numberAllEvents(database);
        const events = await readStoredEvents(database);
        const expected = [...ledger].map(
          ([id, { type }]) => [id, { type, isAcknowledged: acknowledged.has(id) }] as const,
        );
        assertRecorded(events, new Map(expected));
        await assertEffects(database, events);
      });
      await target.remove();
    }
    isStopped = true;
    writing.resolve();
    await Promise.all(clients);
    context.diagnostic(`${BACKUPS} backups beside ${ledger.size} writes`);
    assert.ok(ledger.size >= BACKUPS * MIN_WRITES);
  });

  test('kill -9 of backup create leaves the old file or the new one, and no scratch after the next run', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    await fill(source);
    const file = join(source.directory, 'b.zst');
    await killOften(source, ['create', file], async () => {
      const target = await createTestDatabase('sqlite');
      assert.equal((await runBackup(target, ['restore', file, '--keep-tokens'])).code, 0);
      await target.remove();
    });
    assert.deepEqual(readdirSync(source.directory).filter(isScratch), []);
  });

  test('kill -9 of backup restore leaves the old database or the new one, and no scratch after the next run', async (context) => {
    const [source, target] = [await createCurrentDatabase(engine), await createCurrentDatabase(engine)];
    for (const { remove } of [source, target]) context.after(remove);
    await fill(source);
    const file = await createBackup(source);
    const isUsers = (name: string) => name === 'users' || name === 'tokens';
    const whole = await readDigests(source, isUsers);
    let last = await readDigests(target, isUsers);
    await killOften(target, ['restore', file, '--replace', '--keep-tokens'], async () => {
      const now = await readDigests(target, isUsers);
      assert.ok([whole, last].some((digests) => JSON.stringify(digests) === JSON.stringify(now)));
      last = now;
      // The next restore has something else to replace.
      await withOpened(target, (database) => insertTestUser(database));
      last = await readDigests(target, isUsers);
    });
    assert.deepEqual(await readDigests(target, isUsers), whole);
    assert.deepEqual(readdirSync(target.directory).filter(isScratch), []);
  });

  test('kill -9 of backup verify changes nothing, and leaves no scratch after the next run', async (context) => {
    const source = await openTestDatabase(context, engine, createCurrentDatabase);
    await fill(source);
    const file = await createBackup(source);
    const before = [await readDigests(source, () => true), readFileSync(file).toString('base64')];
    await killOften(source, ['verify', file], async () => {
      assert.deepEqual(
        [await readDigests(source, () => true), readFileSync(file).toString('base64')],
        before,
      );
    });
    assert.deepEqual(readdirSync(source.directory).filter(isScratch), []);
  });
});
