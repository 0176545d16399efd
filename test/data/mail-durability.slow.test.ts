/** After kill -9, each message whose cause was committed arrives, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { enqueueMail } from '../../src/features/mail/enqueue-mail.ts';
import { useDatabase } from '../support/database.ts';
import { enqueue } from '../support/mail.ts';
import { startProcess } from '../support/processes/process.ts';
import { describeOnEachEngine } from '../support/runner/engines.ts';
import { mailEnvironment, startSmtpServer } from '../support/smtp-server.ts';
import { insertTestUser } from '../support/users.ts';

const QUEUED = sql<{ id: string }>('select id from jobs');
/** On PostgreSQL another node could still be sending: the lease of a node that was killed has to expire. */
const EXPIRE_LEASES = sql('update jobs set next_attempt_at = 0 where leased_until is not null');

describeOnEachEngine('kill -9 before the delivery of mail', (engine) => {
  const { database, testDatabase } = useDatabase(engine);

  test('kill -9 before the delivery of mail loses no message, neither waiting nor in progress, and invents none', async (context) => {
    const reached = Promise.withResolvers<void>();
    const hanging = await startSmtpServer({
      onMessage: () => {
        reached.resolve();
        return new Promise(() => {});
      },
    });
    context.after(() => hanging.close());
    const first = await startProcess(testDatabase, mailEnvironment(hanging));
    const expected = new Set<string>();
    const now = Date.now();
    // Ten messages: five are being sent when the process is killed, five wait.
    for (let count = 0; count < 10; count++) {
      const { id, email } = await insertTestUser(database);
      await enqueue(database, { kind: 'verify_email', userId: id, email: email!, now });
      expected.add(email!);
    }
    const { id, email } = await insertTestUser(database);
    const rolledBack = database.transaction(async (tx) => {
      await enqueueMail(tx, { kind: 'verify_email', userId: id, email: email!, now });
      throw new Error('rolled back');
    });
    await assert.rejects(rolledBack, /rolled back/);
    await reached.promise;
    assert.equal((await first.kill('SIGKILL')).signal, 'SIGKILL');
    assert.equal((await database.all(QUEUED)).length, 10);

    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    if (database.isShared) await database.transaction((tx) => tx.run(EXPIRE_LEASES));
    const second = await startProcess(testDatabase, mailEnvironment(smtp));
    await smtp.waitFor(10);
    assert.equal((await second.kill('SIGTERM')).code, 0);
    assert.deepEqual(new Set(smtp.received.flatMap(({ recipients }) => recipients)), expected);
    assert.equal(smtp.received.length, 10);
    assert.deepEqual(await database.all(QUEUED), []);
  });
});
