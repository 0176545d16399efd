import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { enqueue } from '../../../../test/support/mail.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { openService, startService, type TestService } from '../../../../test/support/service.ts';
import { mailEnvironment, startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { until } from '../../../../test/support/until.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';

const QUEUED = sql<{ id: string }>('select id from jobs');

/** Queues a reset request for a new user, and returns the address. */
async function requestReset({ service: { database } }: TestService): Promise<string> {
  const { email } = await insertTestUser(database, { passwordHash: 'a hash' });
  await enqueue(database, { kind: 'reset_password', userId: null, email: email!, now: Date.now() });
  return email!;
}

/** Waits for a log line that matches. */
async function logged({ log }: TestService, pattern: RegExp): Promise<Record<string, unknown>> {
  const find = () => log.find(({ msg }) => pattern.test(String(msg)));
  await until(() => find() !== undefined, `${pattern} is logged`);
  return find()!;
}

describeOnSqlite('mail with and without SMTP_URL', (engine) => {
  test('mail waits without SMTP_URL, which is logged once, and is sent after a start with it', async (context) => {
    const testDatabase = await openTestDatabase(context, engine);
    const without = await startService(engine, { testDatabase });
    assert.ok(!JSON.stringify(without.log).includes('SMTP_URL'), 'no message, no advice');
    const email = await requestReset(without);
    const advice = /^mail waits in the queue .* set SMTP_URL, MAIL_FROM and PUBLIC_URL/;
    assert.equal((await logged(without, advice)).level, 40);
    assert.equal((await without.api.get('/readyz')).status, 200);
    assert.equal((await without.service.database.all(QUEUED)).length, 1);
    await without.stop();
    assert.equal(without.log.filter(({ msg }) => advice.test(String(msg))).length, 1);

    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    const service = await startService(engine, { testDatabase, environment: mailEnvironment(smtp) });
    await smtp.waitFor(1);
    await service.stop();
    const [mail] = smtp.received;
    assert.deepEqual(mail?.recipients, [email]);
    assert.equal(mail?.subject, 'Reset your password for Example');
    assert.match(mail?.text ?? '', /^https:\/\/id\.example\.org\/account\/reset-password\/[0-9A-Za-z]{43}$/m);
  });

  test('mail is logged with its link instead of sent with MAIL_TO_LOG=true, with a warning at the start', async (context) => {
    const service = await openService(context, engine, { environment: { MAIL_TO_LOG: 'true' } });
    const warnings = service.log.filter(({ msg }) => /^MAIL_TO_LOG=true: .*links/.test(String(msg)));
    assert.deepEqual(pluck(warnings, 'level'), [40]);
    const email = await requestReset(service);
    const line = await logged(service, /^mail is logged instead of sent/);
    assert.deepEqual(
      [line.mail, line.to, line.subject],
      ['reset_password', email, 'Reset your password for Frontdesk'],
    );
    const [, base, token] =
      /^(.*)\/account\/reset-password\/([0-9A-Za-z]{43})$/.exec(String(line.link)) ?? [];
    assert.equal(base, service.service.url);
    assert.ok(token);
  });
});
