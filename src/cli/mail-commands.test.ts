import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueue } from '../../test/support/mail.ts';
import { run as runCommand } from '../../test/support/processes/commands.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../test/support/runner/engines.ts';
import { toEnvironment } from '../../test/support/service.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { type Database, sql } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { leaseJob, releaseJob } from '../features/jobs/queries.ts';
import { countDropped } from '../features/mail/dropped-mail.ts';
import { findDueMail } from '../features/mail/queries.ts';
import { HOUR, timestamp } from '../lib/time/clock.ts';

const NEXT = sql<{ next_attempt_at: number }>('select next_attempt_at from jobs order by id');

const ACTS = sql<{ type: string; data: string }>(
  'select type, data from events where subject = $1 order by id',
);

describeOnEachEngine('cli mail', (engine) => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
    const { url, directory } = testDatabase;
    database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
  });
  after(async () => {
    await database.close();
    await testDatabase.remove();
  });
  const run = (...args: string[]) => runCommand(['mail', ...args], toEnvironment(testDatabase));

  test('cli mail status counts messages that wait and that were dropped, and cli mail retry makes them due', async () => {
    const empty = await run('status');
    assert.deepEqual([empty.code, empty.lines], [0, ['No message waits.']]);
    const nothing = { waiting: 0, due: 0, sending: 0, failed: 0, oldest: null, dropped: 0 };
    assert.deepEqual(JSON.parse((await run('status', '--json')).lines.join()), { ...nothing, kinds: [] });

    const queuedAt = Date.now() - HOUR / 2;
    const user = { userId: (await insertTestUser(database)).id, email: 'ada@example.com' };
    for (const kind of ['new_network', 'password_changed', 'password_changed'] as const)
      await enqueue(database, { kind, ...user, now: queuedAt });
    const expired = { kind: 'reset_password', userId: null, email: 'old@example.com' } as const;
    await enqueue(database, { ...expired, now: queuedAt - HOUR });
    assert.equal((await run('status')).code, 0);

    const [, network, failing] = await findDueMail(database, Date.now(), 4);
    await database.transaction(async (tx) => {
      await leaseJob(tx, network!, Date.now() + HOUR);
      await leaseJob(tx, failing!, Date.now() + HOUR);
      await releaseJob(tx, failing!, { nextAttemptAt: Date.now() + HOUR, lastError: 'failed' });
    });
    const status = await run('status');
    assert.equal(status.code, 2, 'a message could not be delivered');
    const oldest = timestamp(queuedAt);
    assert.deepEqual(
      status.lines.map((line) => line.split(/ +/)),
      [
        ['kind', 'waiting', 'due', 'sending', 'failed', 'oldest'],
        ['new_network', '1', '0', '1', '0', oldest],
        ['password_changed', '2', '1', '0', '1', oldest],
        ['total', '3', '1', '1', '1', oldest],
        'SMTP_URL is not set: messages wait until it is.'.split(' '),
      ],
    );
    const json = await run('status', '--json');
    const { kinds, ...total } = JSON.parse(json.lines.join());
    assert.deepEqual(
      [json.code, total],
      [2, { waiting: 3, due: 1, sending: 1, failed: 1, oldest, dropped: 0 }],
    );
    assert.deepEqual(kinds[0], { kind: 'new_network', waiting: 1, due: 0, sending: 1, failed: 0, oldest });

    await database.transaction(async (tx) => countDropped(tx));
    const text = 'Limits have dropped 1 message since the database was set up.';
    assert.equal((await run('status')).lines.at(-1), text);
    assert.equal(JSON.parse((await run('status', '--json')).lines.join()).dropped, 1);

    const retry = await run('retry');
    assert.deepEqual([retry.code, retry.lines], [0, ['Made 1 message due now.']]);
    const later = (await database.all(NEXT)).filter(({ next_attempt_at }) => next_attempt_at > Date.now());
    assert.equal(later.length, 1, 'the message that is being sent is not sent twice');
  });

  test('cli mail lists, shows, cancels and retries single messages, with events of the administrator', async () => {
    const { id: userId } = await insertTestUser(database);
    const email = 'grace@example.com';
    await enqueue(database, { kind: 'password_changed', userId, email, now: Date.now() });
    const listed = await run('list', '--recipient', email, '--json');
    const { id, state } = JSON.parse(listed.lines.join());
    assert.equal(state, 'waiting');
    assert.match(
      (await run('list', '--state', 'waiting', '--limit', '1')).lines.join('\n'),
      new RegExp(`^${id} .* ${email}  -$`),
    );
    const shown = JSON.parse((await run('show', id)).lines.join('\n'));
    assert.match(shown.text, /password/);
    assert.equal(JSON.parse((await run('cancel', id)).lines.join('\n')).state, 'cancelled');
    assert.equal(JSON.parse((await run('retry', id)).lines.join('\n')).state, 'waiting');
    const types = (await database.all(ACTS, `user:${userId}`)).map(({ type }) => type);
    assert.deepEqual(types, ['mail.cancelled', 'mail.retried']);
    const [all] = await database.all(ACTS, 'mail');
    assert.equal(all!.type, 'mail.retried', 'the retry of all messages');
    const unknown = await run('show', 'x');
    assert.deepEqual([unknown.code, unknown.lines], [1, ['mail: Message not found']]);
  });

  test('cli mail exits with 1 and the usage for an unknown command', async () => {
    const { code, lines } = await run('resend');
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /Usage: npm run cli -- mail /);
  });
});
