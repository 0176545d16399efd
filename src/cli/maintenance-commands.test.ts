import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDatabase } from '../../test/support/database.ts';
import { numberAllEvents } from '../../test/support/events.ts';
import { enqueue } from '../../test/support/mail.ts';
import { pluck } from '../../test/support/pluck.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite, describeStorage } from '../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, toEnvironment, useService } from '../../test/support/service.ts';
import { assertExactFigures } from '../../test/support/statistics/statistics.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { sql } from '../database/database.ts';
import { leaseJob, releaseJob } from '../features/jobs/queries.ts';
import { findDueMail } from '../features/mail/queries.ts';
import { HOUR } from '../lib/time.ts';
import { readOrCreateSecretFile } from '../startup/secret-files.ts';

describeStorage('cli statistics recompute', (engine) => {
  const service = useService(engine);

  test('cli statistics recompute prints its corrections while the service runs, and then that there are none', async () => {
    const { database } = service;
    await service.api.post('/api/v1/users', {});
    await database.transaction(async (tx) => tx.count('unclaimed_users', 0, 5));
    const recompute = () => run(['statistics', 'recompute'], toEnvironment(service.testDatabase));
    const first = await recompute();
    assert.equal(first.code, 0, first.lines.join('\n'));
    const expected = (unclaimed: number) => [
      'users by state: 0 corrected',
      `unclaimed records: ${unclaimed} corrected`,
      'sign-ups by day: 0 corrected',
      'tokens by hour of expiry: 0 corrected',
      'days of activity of users: 0 corrected',
      'active users by day: 0 corrected',
    ];
    assert.deepEqual(first.lines, expected(1));
    await assertExactFigures(database);
    assert.deepEqual((await recompute()).lines, expected(0));
  });
});

const NEXT = sql<{ next_attempt_at: number }>('select next_attempt_at from jobs order by id');

const EVENTS = sql<{ type: string }>('select type from events where subject = $1 order by id');

describeOnSqlite('cli mail', (engine) => {
  const { database, testDatabase } = useDatabase(engine);

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
    assert.deepEqual(pluck(events, 'type'), ['mail.retried']);
  });
});

describeOnSqlite('commands that are recorded', (engine) => {
  const service = useService(engine);

  test('commands that export data or change the service as a whole are recorded as events of the command line', async () => {
    const { database } = service;
    readOrCreateSecretFile(service.testDatabase.directory, 'admin-token');
    const commands = [
      'users export',
      'users export --with-password-hashes',
      'mail retry',
      'statistics recompute',
      'accept-secret-key',
      'admin-token rotate',
      // These only read.
      'events verify',
      'signing-keys list',
    ];
    for (const command of commands) {
      const environment = toEnvironment(
        service.testDatabase,
        command.startsWith('admin') ? { ADMIN_TOKEN: '' } : {},
      );
      const { code, lines } = await run(command.split(' '), environment);
      assert.equal(code, 0, lines.join('\n'));
    }
    await numberAllEvents(database);
    const { body } = await service.api.get('/api/v1/events?order=time&actor=administrator', {
      token: ADMIN_TOKEN,
    });
    const events: { type: string; subject: string; actor: object; details: object | null }[] = body.data;
    assert.deepEqual(
      events.map(({ type, subject, details }) => [type, subject, details]),
      [
        ['users.exported', 'users', { with_password_hashes: false }],
        ['users.exported', 'users', { with_password_hashes: true }],
        ['mail.retried', 'mail', null],
        ['statistics.recomputed', 'statistics', null],
        ['secret_key.accepted', 'settings', null],
        ['admin_token.rotated', 'settings', null],
      ],
    );
    for (const { actor } of events)
      assert.deepEqual(actor, {
        type: 'administrator',
        id: null,
        name: 'command line',
        kind: 'command_line',
      });
  });
});
