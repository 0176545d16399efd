import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { signInAs } from '../../../test/support/administrators.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { AS_ADMIN, insertTestSubmissions, publishTestForm } from '../../../test/support/forms.ts';
import { enqueue } from '../../../test/support/mail.ts';
import { createCurrentDatabase, describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { startService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import { recordBackup } from '../backups/status/backup-events.ts';
import { recordFailedLogin } from '../people/sign-in/rejected-login.ts';

const PATH = '/api/v1/admin/alerts';
const CACHE_MS = 2_000;
const INSERT_MAIL = `
  insert into mail_messages (id, kind, email, email_key, state, reason, attempts, created_at, ended_at)
  values ($1, 'password_changed', 'a@b', 'a@b', $2, 'rejected', 1, $3, $3)`;

interface ListedAlert {
  readonly kind: string;
  readonly severity: string;
  readonly message: string;
  readonly count: number;
  readonly since: string | null;
  readonly subject: string | null;
}

describeOnEachEngine('GET /api/v1/admin/alerts', (engine) => {
  const time = { now: Date.now(), elapsed: 0 };
  const service = useService(engine, {
    clock: () => time.now,
    monotonicClock: () => time.elapsed,
  });
  beforeEach(() => {
    time.elapsed += CACHE_MS;
  });
  const run = (text: string, ...values: (string | number)[]) =>
    service.service.database.transaction((tx) => tx.run(sql(text), ...values));
  const list = async (kind: string, { api } = service): Promise<ListedAlert[]> => {
    time.elapsed += CACHE_MS;
    const { status, body } = await api.get(PATH, AS_ADMIN);
    assert.equal(status, 200);
    return body.data.alerts.filter((alert: ListedAlert) => alert.kind === kind);
  };

  test('GET /api/v1/admin/alerts is empty if all is well, and needs a role or credential', async () => {
    assert.deepEqual((await service.api.get(PATH, AS_ADMIN)).body.data.alerts, []);
    assert.equal((await service.api.get(PATH)).status, 401);
  });

  test('GET /api/v1/admin/alerts names webhooks that fail, until they succeed or an administrator disables them', async () => {
    const settings = { url: 'https://crm.example.com/hook', enabled: false };
    const { id } = (await service.api.post('/api/v1/webhooks', settings, AS_ADMIN)).body.data;
    assert.deepEqual(await list('webhook_failing'), []);
    await run(
      'update webhook_endpoints set enabled = 1, disabled_reason = null, failing_since = $1',
      time.now,
    );
    const [failing] = await list('webhook_failing');
    assert.equal(failing!.message, 'The webhook crm.example.com does not accept events');
    assert.deepEqual(
      [failing!.severity, failing!.subject, Date.parse(failing!.since!)],
      ['warning', `webhook:${id}`, time.now],
    );
    await run("update webhook_endpoints set enabled = 0, disabled_reason = 'failing'");
    assert.equal((await list('webhook_failing'))[0]!.severity, 'error');
    await run("update webhook_endpoints set disabled_reason = 'administrator'");
    assert.deepEqual(await list('webhook_failing'), []);
  });

  test('GET /api/v1/admin/alerts counts messages that failed for good within a week, and messages that wait', async () => {
    await run(INSERT_MAIL, newId(), 'failed', time.now - 8 * DAY);
    await run(INSERT_MAIL, newId(), 'sent', time.now - DAY);
    assert.deepEqual(await list('mail_failed'), []);
    for (const at of [time.now - 2 * DAY, time.now - DAY]) await run(INSERT_MAIL, newId(), 'failed', at);
    const [failed] = await list('mail_failed');
    assert.equal(failed!.count, 2);
    assert.equal(failed!.message, '2 messages of the last 7 days failed for good');
    assert.equal(Date.parse(failed!.since!), time.now - 2 * DAY);
    await run("delete from mail_messages where state = 'failed'");
    assert.deepEqual(await list('mail_failed'), []);
    const { id: userId } = await insertTestUser(service.service.database);
    await enqueue(service.service.database, {
      kind: 'password_changed',
      userId,
      email: 'a@b',
      now: time.now,
    });
    assert.equal((await list('mail_waiting'))[0]!.message, '1 message not sent yet: SMTP_URL is not set');
    await run('delete from jobs');
    assert.deepEqual(await list('mail_waiting'), []);
  });

  test('GET /api/v1/admin/alerts reports messages that the mail server did not accept at the first attempt', async (context) => {
    const environment = {
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@example.com',
      PUBLIC_URL: 'https://a.example',
    };
    const other = await startService(engine, { environment, monotonicClock: () => time.elapsed });
    context.after(other.stop);
    const { id: userId } = await insertTestUser(other.service.database);
    const mail = { kind: 'password_changed', userId, email: 'a@b', now: Date.now() } as const;
    await enqueue(other.service.database, mail);
    await other.service.database.transaction((tx) => tx.run(sql('update jobs set attempts = 1')));
    const isReported = async () =>
      (await list('mail_waiting', other)).some(({ message }) => message.includes('the mail server'));
    await until(isReported, 'the attempt has failed');
  });

  test('GET /api/v1/admin/alerts names forms with held submissions, until they are released', async () => {
    const path = await publishTestForm(service, { title: 'Open lab' });
    await insertTestSubmissions(service, path, { answers: [{}, {}], held: 1, start: time.now });
    const [held] = await list('submissions_held');
    assert.equal(held!.message, '2 submissions to “Open lab” wait for a decision');
    assert.equal(`form:${path.split('/').at(-1)}`, held!.subject);
    await run('update form_submissions set held = 0');
    assert.deepEqual(await list('submissions_held'), []);
  });

  test('GET /api/v1/admin/alerts names providers with three failures, until they are changed, and accounts with limited logins', async () => {
    const { database } = service.service;
    const settings = {
      kind: 'oidc',
      issuer: 'https://login.example.edu',
      client_id: 'a',
      client_secret: 'b',
    };
    const body = { ...settings, name: 'University', trust_email: false, enabled: true };
    const { id } = (await service.api.post('/api/v1/identity-providers', body, AS_ADMIN)).body.data;
    const fail = async (detail: string) => {
      time.now += 1_000;
      const details = { provider: 'University', detail };
      await recordFailedLogin({ database, clock: () => time.now }, { reason: 'identity_provider', details });
    };
    for (const detail of ['invalid_client', 'access_denied', 'invalid_client']) await fail(detail);
    await numberAllEvents(database);
    assert.deepEqual(await list('identity_provider_failing'), []);
    await fail('timeout');
    const { id: userId } = await insertTestUser(database);
    await recordFailedLogin({ database, clock: () => time.now }, { reason: 'limited', userId });
    await numberAllEvents(database);
    const [failing] = await list('identity_provider_failing');
    assert.equal(failing!.message, '3 sign-ins with University failed in the last 24 hours: timeout');
    assert.equal(failing!.subject, `identity_provider:${id}`);
    assert.match((await list('logins_limited'))[0]!.message, /^Logins to 1 account were rejected/);
    time.now += HOUR;
    assert.deepEqual(await list('logins_limited'), []);
    const headers = { 'if-match': '*' };
    const changes = { client_secret: 'another' };
    const changed = await service.api.patch(`/api/v1/identity-providers/${id}`, changes, {
      ...AS_ADMIN,
      headers,
    });
    assert.equal(changed.status, 200);
    assert.deepEqual(await list('identity_provider_failing'), []);
  });

  test('GET /api/v1/admin/alerts reports five times as many sign-ups as usual, at least 50', async () => {
    const { database } = service.service;
    for (let count = 0; count < 70; count++)
      await insertTestUser(database, { createdAt: time.now - (count < 14 ? 2 * DAY : 0) });
    const [wave] = await list('sign_ups');
    assert.match(wave!.message, /^\d\d users are new today, and about 2 a day were in the week before$/);
    time.now += DAY;
    assert.deepEqual(await list('sign_ups'), []);
  });

  test('GET /api/v1/admin/alerts reports an overdue backup and one that was not verified', async (context) => {
    const testDatabase = await createCurrentDatabase(engine);
    context.after(testDatabase.remove);
    const environment = { BACKUP_DIR: join(testDatabase.directory, 'backups'), BACKUP_EVERY: '1' };
    const options = { clock: () => time.now, monotonicClock: () => time.elapsed };
    const other = await startService(engine, { ...options, testDatabase, environment });
    context.after(other.stop);
    const record = (kind: 'created' | 'verified') =>
      other.service.database.transaction((tx) =>
        recordBackup(tx, { kind, rows: 1, bytes: 1, durationMs: 1 }, { file: 'a', now: time.now }),
      );
    assert.deepEqual(await list('backup', other), []);
    time.now += 3 * HOUR;
    assert.equal((await list('backup', other))[0]!.message, 'There is no backup after 3.0 hours');
    await record('created');
    assert.equal((await list('backup', other))[0]!.message, 'No backup was verified for 3.0 hours');
    await record('verified');
    assert.deepEqual(await list('backup', other), []);
  });

  test('GET /api/v1/admin/alerts shows a support person only the alerts of the own scopes', async () => {
    await run(
      'update webhook_endpoints set enabled = 1, disabled_reason = null, failing_since = $1',
      time.now,
    );
    await run(INSERT_MAIL, newId(), 'failed', time.now);
    assert.equal((await list('webhook_failing')).length, 1);
    const support = await signInAs(service, 'support');
    const { body } = await support.send('GET', PATH);
    const kinds = new Set(body.data.alerts.map(({ kind }: ListedAlert) => kind));
    assert.ok(kinds.has('mail_failed') && !kinds.has('webhook_failing'));
  });
});
