import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPrepareMail, enqueue, startTestDelivery } from '../../../../test/support/mail.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { type Handlers, startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { leaseJob, releaseJob } from '../../jobs/queries.ts';
import type { NewMail } from '../enqueue-mail.ts';
import { findDueMail } from '../queries.ts';
import { MAX_RETRY_DELAY_MS } from './failure.ts';
import type { PrepareMail } from './message.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const CLEAR = sql('delete from jobs');
const ROWS = sql<{ next_attempt_at: number }>('select next_attempt_at from jobs order by id');

describeStorage('the order of mail', (engine) => {
  const service = useService(engine);

  async function start(context: { after(clean: () => Promise<void>): void }, handlers: Handlers = {}) {
    const { database } = service;
    await database.transaction((tx) => tx.run(CLEAR));
    const time = { now: NOW, elapsed: 0 };
    const smtp = await startSmtpServer(handlers);
    const clocks = { clock: () => time.now, monotonicClock: () => time.elapsed };
    const begun: string[] = [];
    const inner = createTestPrepareMail();
    const prepare: PrepareMail = (tx, mail, now) => {
      begun.push(mail.email);
      return inner(tx, mail, now);
    };
    const { delivery } = startTestDelivery(database, smtp, { ...clocks, prepare });
    context.after(async () => {
      await delivery.close();
      await smtp.close();
    });
    /** Queues a message to a new user, and returns the address. */
    const queue = async (mail: Pick<NewMail, 'kind' | 'isBulk' | 'isByAdministrator'>) => {
      const state = mail.kind === 'claim_account' ? 'unclaimed' : 'active';
      const { id, email } = await insertTestUser(database, { state });
      await enqueue(database, { ...mail, userId: id, email: email!, now: time.now });
      return email!;
    };
    return { database, smtp, delivery, time, queue, begun };
  }

  test('mail is sent in this order: links that a person waits for, notices and links of the administrator, bulk claims', async (context) => {
    const { smtp, delivery, queue, begun } = await start(context);
    const bulk = [
      await queue({ kind: 'claim_account', isBulk: true }),
      await queue({ kind: 'claim_account', isBulk: true }),
    ];
    const ordinary = [
      await queue({ kind: 'new_network' }),
      await queue({ kind: 'reset_password', isByAdministrator: true }),
      await queue({ kind: 'email_changed' }),
    ];
    const urgent = [
      await queue({ kind: 'verify_email' }),
      await queue({ kind: 'reset_password' }),
      await queue({ kind: 'verify_email' }),
    ];
    await delivery.deliverDue();
    const expected = [...urgent, ...ordinary, ...bulk];
    // Five are prepared at once: in which order their transactions begin on PostgreSQL is not determined.
    const inTurns = (emails: readonly string[]) =>
      engine === 'sqlite' ? emails : [emails.slice(0, 5).sort(), emails.slice(5).sort()];
    assert.deepEqual(inTurns(begun), inTurns(expected));
    assert.equal(smtp.received.length, 8);
  });

  test('mail delivery leaves a connection for a link that a person waits for while others are being sent slowly', async (context) => {
    const reached = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const slow = new Set<string>();
    const { smtp, delivery, queue } = await start(context, {
      onMessage: async ({ recipients }) => {
        if (!slow.has(recipients[0]!)) return null;
        slow.delete(recipients[0]!);
        if (slow.size === 4) reached.resolve();
        await proceed.promise;
        return null;
      },
    });
    for (let count = 0; count < 8; count++) slow.add(await queue({ kind: 'claim_account', isBulk: true }));
    const delivering = delivery.deliverDue();
    await reached.promise;
    const email = await queue({ kind: 'reset_password' });
    const more = delivery.deliverDue();
    await smtp.waitFor(1);
    assert.deepEqual(pluck(smtp.received, 'recipients'), [[email]]);
    proceed.resolve();
    await Promise.all([delivering, more]);
    assert.equal(smtp.received.length, 9);
  });

  test('mail is not delayed by times that were set while the clock was ahead', async (context) => {
    const { database, smtp, delivery, time, queue } = await start(context);
    await delivery.deliverDue();
    time.now = NOW + 30 * HOUR;
    for (let count = 0; count < 3; count++) await queue({ kind: 'verify_email' });
    const [, postponed, leased] = await findDueMail(database, time.now, 3);
    await database.transaction(async (tx) => {
      await leaseJob(tx, postponed!, time.now + 5 * MINUTE);
      await releaseJob(tx, postponed!, { nextAttemptAt: time.now + HOUR, lastError: 'failed' });
      await leaseJob(tx, leased!, time.now + 5 * MINUTE);
    });
    time.now = NOW;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 0, 'the times are checked once per minute');
    time.elapsed += MINUTE;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 2);
    assert.deepEqual(await database.all(ROWS), [{ next_attempt_at: NOW + 5 * MINUTE }]);
    time.now += 5 * MINUTE;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 3, 'the message that was being sent is sent after its lease');
  });

  test('mail keeps the times that failures have set, up to the longest delay', async (context) => {
    const { database, smtp, delivery, time, queue } = await start(context);
    await queue({ kind: 'verify_email' });
    const [mail] = await findDueMail(database, NOW, 1);
    await database.transaction(async (tx) => {
      await leaseJob(tx, mail!, NOW + 5 * MINUTE);
      await releaseJob(tx, mail!, { nextAttemptAt: NOW + MAX_RETRY_DELAY_MS, lastError: 'failed' });
    });
    time.elapsed += MINUTE;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 0);
    assert.deepEqual(await database.all(ROWS), [{ next_attempt_at: NOW + MAX_RETRY_DELAY_MS }]);
  });
});
