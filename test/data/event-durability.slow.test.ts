/** A series of kill -9 during writes: each write has its event, each event its effect, and readers miss nothing. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Database, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createMark, type Mark } from '../../src/features/events/chain/chain.ts';
import { numberEvents } from '../../src/features/events/numbering/number-events.ts';
import { readSecretFile } from '../../src/startup/secret-files.ts';
import { useTestDatabase } from '../support/database.ts';
import { type Consumer, startConsumer } from '../support/kills/consumer.ts';
import { KILLS } from '../support/kills/kill-count.ts';
import {
  areAllNumbered,
  assertChained,
  assertEffects,
  assertRecorded,
  readStoredEvents,
  readVersions,
  sortById,
} from '../support/kills/stored-events.ts';
import { type Ledger, writeUntilKilled } from '../support/kills/writers.ts';
import { type ServiceProcess, startCheapProcess } from '../support/processes/process.ts';
import { createCurrentDatabase, describeOnEachEngine } from '../support/runner/engines.ts';
import { until } from '../support/until.ts';

/** So many that transactions on SQLite share commits. */
const CLIENTS = 16;
/** Each ten kills are after 1 to 280 acknowledged writes, one kill in each tenth of this range: 1,400 in all. */
const TENTH = 28;
const MIN_WRITES_OF_TEN_KILLS = 1000;
const INTEGRITY = sql<{ integrity_check: string }>('select * from pragma_integrity_check');

/** Kills the process at the response to one of its writes, in the middle of others. Returns its log of responses 503. */
async function killDuringWrites(service: ServiceProcess, ledger: Ledger, kill: number): Promise<string[]> {
  let left = (kill % 10) * TENTH + randomInt(1, TENTH + 1);
  const enough = Promise.withResolvers<void>();
  const onResponse = () => {
    left--;
    if (left === 0) enough.resolve();
  };
  const clients = Array.from({ length: CLIENTS }, () =>
    writeUntilKilled({ api: service.api, ledger, onResponse }),
  );
  await Promise.race([enough.promise, Promise.all(clients)]);
  const { signal, lines } = await service.kill('SIGKILL');
  assert.equal(signal, 'SIGKILL');
  await Promise.all(clients);
  return lines.filter((line) => line.includes('service_unavailable'));
}

async function assertConsistent(
  database: Database,
  ledger: Ledger,
  { consumer, mark }: { readonly consumer: Consumer; readonly mark: Mark },
): Promise<void> {
  const events = await readStoredEvents(database);
  assertRecorded(events, ledger);
  await assertEffects(database, events);
  await assertChained(database, events, mark);
  assert.deepEqual(
    consumer.eventIds,
    events.map(({ id }) => id),
  );
  assert.deepEqual(sortById(consumer.users), await readVersions(database));
}

describeOnEachEngine('a series of kill -9 during writes', (engine) => {
  const testDatabase = useTestDatabase(engine, createCurrentDatabase);

  test('a series of kill -9 leaves exactly one event of each write, and a consumer of the feed with exactly the users table', async (context) => {
    const ledger: Ledger = new Map();
    let service = await startCheapProcess(testDatabase);
    const consumer = startConsumer(() => service.api);
    context.after(() => consumer.stop());
    for (let kill = 0; kill < KILLS; kill++) {
      for (const line of await killDuringWrites(service, ledger, kill)) context.diagnostic(line);
      service = await startCheapProcess(testDatabase);
    }
    const { url, directory } = testDatabase;
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    context.after(() => database.close());
    // A read waits for numbers for a quarter of a second only: an empty page need not be the end yet.
    await until(() => areAllNumbered(database), 'all events have a number');
    await consumer.finish();
    assert.equal((await service.kill('SIGTERM')).code, 0);
    assert.equal((await numberEvents(database)).count, 0);
    const acknowledged = [...ledger.values()].filter(({ isAcknowledged }) => isAcknowledged).length;
    context.diagnostic(`${KILLS} kills, ${acknowledged} acknowledged writes of ${ledger.size}`);
    assert.ok(acknowledged >= Math.floor(KILLS / 10) * MIN_WRITES_OF_TEN_KILLS && acknowledged < ledger.size);
    const mark = createMark(readSecretFile(join(directory, 'secret-key'))!);
    await assertConsistent(database, ledger, { consumer, mark });
    if (url === null) assert.deepEqual(await database.all(INTEGRITY), [{ integrity_check: 'ok' }]);
  });
});
