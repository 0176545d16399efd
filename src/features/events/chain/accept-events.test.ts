import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyRecord } from '../../../../test/support/events.ts';
import { run } from '../../../../test/support/processes/commands.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { startService, toEnvironment, useService } from '../../../../test/support/service.ts';
import { type Database, sql } from '../../../database/database.ts';
import { deleteSetting } from '../../../database/settings.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { numberAllEvents } from '../numbering/number-events.ts';
import { recordEvent } from '../record-event.ts';

/** As releases inserted the events of imports that forgot their marks. */
const IMPORT = sql(`
  insert into events (id, created_at, type, subject, actor, outcome, reason, data)
  values ($1, $2, $3, 'user:' || $1, 'administrator', 'success', null, $4)`);
const DATA = '{"actor_name":"command line"}';
/** More than are marked at once. */
const IMPORTED = 501;

describeOnEachEngine('events of imports without marks', (engine) => {
  const SECRET_KEY = 'secret-key-of-the-tests-of-imports-'.repeat(2);
  const service = useService(engine, { environment: { SECRET_KEY } });
  const { database } = service;
  const environment = () => toEnvironment(service.testDatabase, { SECRET_KEY });
  const find = (database: Database) => verifyRecord(database, SECRET_KEY);
  const store = async (database: Database, count: number, type = 'user.created', data = DATA) => {
    await database.transaction(async (tx) => {
      for (let i = 0; i < count; i++) await tx.run(IMPORT, newId(), Date.now(), type, data);
    });
    await numberAllEvents(database);
  };
  const record = (database: Database) =>
    database.transaction((tx) => recordEvent(tx, { type: 'user.created', userId: newId(), now: Date.now() }));
  /** Starts a node as after the upgrade of a release that did not know the marks. */
  const upgrade = async () => {
    const node = await startService(engine, {
      testDatabase: service.testDatabase,
      environment: { SECRET_KEY },
    });
    await node.stop();
  };
  const invented = (number: number) => ['invented', number];

  before(async () => {
    await record(database);
    await store(database, IMPORTED);
    await record(database);
    await store(database, 2);
    await database.transaction((tx) => deleteSetting(tx, 'imports_marked'));
  });

  const [FIRST, LAST] = [2, IMPORTED + 1] as const;
  // The event before these is of the backup.
  const FORGED = [invented(LAST + 5), invented(LAST + 6)];
  const AFTER_UPGRADE = [...FORGED, ['imported', FIRST, LAST], ['imported', LAST + 2, LAST + 3]];
  const sort = (findings: readonly (readonly unknown[])[]) => findings.map((each) => each.join(' ')).sort();

  test('a backup with events of imports without marks is verified, and the database is left as it was', async () => {
    const file = join(service.testDatabase.directory, 'imports.zst');
    for (const command of ['create', 'verify']) {
      const { code, lines } = await run(['backup', command, file], environment());
      assert.equal(code, 0, lines.join());
    }
    const found = await find(service.database);
    assert.deepEqual([found.length, found[0]![0]], [IMPORTED + 2, 'invented']);
  });

  test('the upgrade marks events of imports by a mark of their own, and verification warns of them', async () => {
    // What no import has stored.
    await store(database, 1, 'user.enabled');
    await store(database, 1, 'user.created', '{"actor_name":"ADMIN_TOKEN"}');
    await upgrade();
    assert.deepEqual(sort(await find(database)), sort(AFTER_UPGRADE));
    const { code, lines } = await run(['events', 'verify'], environment());
    assert.equal(code, 2);
    assert.ok(lines.some((line) => line.startsWith(`warning: events ${FIRST} to ${LAST}: an import of an`)));
  });

  test('events that look like those of an import are findings after the upgrade, as are edited ones', async () => {
    await store(database, 1);
    await upgrade();
    const added = (await database.get(LAST_NUMBER))!.number;
    assert.deepEqual(sort(await find(database)), sort([...AFTER_UPGRADE, invented(added)]));
    await database.transaction((tx) => tx.run(EDIT, FIRST));
    const edited = [...AFTER_UPGRADE, invented(added), ['content', FIRST]];
    assert.deepEqual(sort(await find(database)), sort(edited));
  });

  test('a backup of a record with a finding is rejected with the event, and with what to do', async () => {
    const file = join(service.testDatabase.directory, 'finding.zst');
    assert.equal((await run(['backup', 'create', file], environment())).code, 0);
    const { code, lines } = await run(['backup', 'verify', file], environment());
    assert.equal(code, 1);
    assert.match(
      lines.at(-1)!,
      /is rejected: event \d+: its content was edited\. What to do: \/docs\/events#after-a-finding$/,
    );
  });
});

const LAST_NUMBER = sql<{ number: number }>('select max(number) as number from events');
const EDIT = sql("update events set subject = 'user:somebody' where number = $1");
