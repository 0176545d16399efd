import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueue } from '../../test/support/mail.ts';
import { run } from '../../test/support/processes/commands.ts';
import {
  createCurrentDatabase,
  describeOnSqlite,
  type TestDatabase,
} from '../../test/support/runner/engines.ts';
import { toEnvironment } from '../../test/support/service.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { type Database, sql } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { leaseJob, releaseJob } from '../features/jobs/queries.ts';
import { findDueMail } from '../features/mail/queries.ts';
import { HOUR } from '../lib/time.ts';

const NEXT = sql<{ next_attempt_at: number }>('select next_attempt_at from jobs order by id');

const EVENTS = sql<{ type: string }>('select type from events where subject = $1 order by id');

describeOnSqlite('cli mail', (engine) => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createCurrentDatabase(engine);
    const { url, directory } = testDatabase;
    database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
  });
  after(async () => {
    await database.close();
    await testDatabase.remove();
  });

  test('cli mail retry makes the messages that wait due now, but not one that is being sent', async () => {
    const user = { userId: (await insertTestUser(database)).id, email: 'ada@example.com' };
    for (const kind of ['new_network', 'password_changed'] as const)
      await enqueue(database, { kind, ...user, now: Date.now() - HOUR / 2 });
    const [sending, failing] = await findDueMail(database, Date.now(), 2);
    await database.transaction(async (tx) => {
      await leaseJob(tx, sending!, Date.now() + HOUR);
      await leaseJob(tx, failing!, Date.now() + HOUR);
      await releaseJob(tx, failing!, { nextAttemptAt: Date.now() + HOUR, lastError: 'failed' });
    });
    const { code, lines } = await run(['mail', 'retry'], toEnvironment(testDatabase));
    assert.deepEqual([code, lines], [0, ['Made 1 message due now.']]);
    const later = (await database.all(NEXT)).filter(({ next_attempt_at }) => next_attempt_at > Date.now());
    assert.equal(later.length, 1);
    const events = await database.all(EVENTS, 'mail');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['mail.retried'],
    );
  });
});
