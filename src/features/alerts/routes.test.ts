import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { signInAs } from '../../../test/support/administrators.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { insertTestSubmissions, publishTestForm } from '../../../test/support/forms.ts';
import { enqueue } from '../../../test/support/mail.ts';
import { createCurrentDatabase, describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, editor, openService, type TestService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, formatTimestamp, HOUR } from '../../lib/time.ts';
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
  const { database } = service;
  beforeEach(() => {
    time.elapsed += CACHE_MS;
  });
  const run = (text: string, ...values: (string | number)[]) =>
    service.database.transaction((tx) => tx.run(sql(text), ...values));
  const list = async (kind: string, { api } = service): Promise<ListedAlert[]> => {
    time.elapsed += CACHE_MS;
    const { status, body } = await api.get(PATH, admin);
    assert.equal(status, 200);
    return body.data.alerts.filter((alert: ListedAlert) => alert.kind === kind);
  };
  /** Asserts that there is one alert of the kind with these members, or none. */
  const assertAlerts = async (kind: string, expected?: Partial<ListedAlert>, from = service) => {
    const found = await list(kind, from);
    assert.equal(found.length, expected === undefined ? 0 : 1, JSON.stringify(found));
    if (expected !== undefined) assert.partialDeepStrictEqual(found[0], expected);
  };
  const enqueueMail = async ({ service: running }: TestService) => {
    const { id: userId } = await insertTestUser(running.database);
    const mail = { kind: 'password_changed', userId, email: 'a@b', now: time.now } as const;
    await enqueue(running.database, mail);
  };

  test('GET /api/v1/admin/alerts is empty if all is well', async () => {
    assert.deepEqual((await service.api.get(PATH, admin)).body.data.alerts, []);
  });

  test('GET /api/v1/admin/alerts names webhooks that fail, until they succeed or an administrator disables them', async () => {
    const settings = { url: 'https://crm.example.com/hook', enabled: false };
    const { id } = (await service.api.post('/api/v1/webhooks', settings, admin)).body.data;
    await assertAlerts('webhook_failing');
    const since = formatTimestamp(time.now);
    for (const [changes, severity, reason] of [
      [
        `enabled = 1, disabled_reason = null, failing_since = ${time.now}`,
        'warning',
        'does not accept events',
      ],
      [
        `enabled = 0, disabled_reason = 'failing'`,
        'error',
        'was disabled, because it accepted no event for days',
      ],
      [`disabled_reason = 'gone'`, 'error', 'was disabled, because it responded with 410'],
    ] as const) {
      await run(`update webhook_endpoints set ${changes}`);
      const message = `The webhook crm.example.com ${reason}`;
      await assertAlerts('webhook_failing', { severity, message, since, subject: `webhook:${id}` });
    }
    await run("update webhook_endpoints set disabled_reason = 'administrator'");
    await assertAlerts('webhook_failing');
  });

  test('GET /api/v1/admin/alerts counts messages that failed for good within a week, and messages that wait', async () => {
    await run(INSERT_MAIL, newId(), 'failed', time.now - 8 * DAY);
    await run(INSERT_MAIL, newId(), 'sent', time.now - DAY);
    await assertAlerts('mail_failed');
    for (const days of [2, 1]) await run(INSERT_MAIL, newId(), 'failed', time.now - days * DAY);
    const message = '2 messages of the last 7 days failed for good';
    await assertAlerts('mail_failed', { count: 2, message, since: formatTimestamp(time.now - 2 * DAY) });
    await run("delete from mail_messages where state = 'failed'");
    await assertAlerts('mail_failed');
    await enqueueMail(service);
    await assertAlerts('mail_waiting', { message: '1 message not sent yet: SMTP_URL is not set' });
    await run('delete from jobs');
    await assertAlerts('mail_waiting');
  });

  test('GET /api/v1/admin/alerts reports messages that the mail server did not accept at the first attempt', async (context) => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' };
    const environment = { ...mail, PUBLIC_URL: 'https://a.example' };
    const other = await openService(context, engine, { environment, monotonicClock: () => time.elapsed });
    await enqueueMail(other);
    await other.service.database.transaction((tx) => tx.run(sql('update jobs set attempts = 1')));
    const isReported = async () =>
      (await list('mail_waiting', other)).some(({ message }) => message.includes('the mail server'));
    await until(isReported, 'the attempt has failed');
  });

  test('GET /api/v1/admin/alerts names forms with held submissions, until they are released', async () => {
    const path = await publishTestForm(service, { title: 'Open lab' });
    await insertTestSubmissions(service, path, { answers: [{}, {}], held: 1, start: time.now });
    const message = '2 submissions to “Open lab” wait for a decision';
    await assertAlerts('submissions_held', { message, subject: `form:${path.split('/').at(-1)}` });
    await run('update form_submissions set held = 0');
    await assertAlerts('submissions_held');
  });

  test('GET /api/v1/admin/alerts names providers with three failures, until they are changed, and accounts with limited logins', async () => {
    const settings = {
      kind: 'oidc',
      issuer: 'https://login.example.edu',
      client_id: 'a',
      client_secret: 'b',
    };
    const body = { ...settings, name: 'University', trust_email: false, enabled: true };
    const { id } = (await service.api.post('/api/v1/identity-providers', body, admin)).body.data;
    const fail = async (detail: string) => {
      time.now += 1_000;
      const details = { provider: 'University', detail };
      await recordFailedLogin({ database, clock: () => time.now }, { reason: 'identity_provider', details });
    };
    for (const detail of ['invalid_client', 'access_denied', 'invalid_client']) await fail(detail);
    await numberAllEvents(database);
    await assertAlerts('identity_provider_failing');
    await fail('timeout');
    const { id: userId } = await insertTestUser(database);
    await recordFailedLogin({ database, clock: () => time.now }, { reason: 'limited', userId });
    await numberAllEvents(database);
    const message = '3 sign-ins with University failed in the last 24 hours: timeout';
    await assertAlerts('identity_provider_failing', { message, subject: `identity_provider:${id}` });
    assert.match((await list('logins_limited'))[0]!.message, /^Sign-ins to 1 account were rejected/);
    time.now += HOUR;
    await assertAlerts('logins_limited');
    const options = editor;
    const path = `/api/v1/identity-providers/${id}`;
    assert.equal((await service.api.patch(path, { client_secret: 'another' }, options)).status, 200);
    await assertAlerts('identity_provider_failing');
  });

  test('GET /api/v1/admin/alerts reports five times as many sign-ups as usual, at least 50', async () => {
    for (let count = 0; count < 70; count++)
      await insertTestUser(database, { createdAt: time.now - (count < 14 ? 2 * DAY : 0) });
    const [wave] = await list('sign_ups');
    assert.match(wave!.message, /^\d\d users are new today, and about 2 a day were in the week before$/);
    time.now += DAY;
    await assertAlerts('sign_ups');
  });

  test('GET /api/v1/admin/alerts reports an overdue backup and one that was not verified', async (context) => {
    const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
    const environment = { BACKUP_DIR: join(testDatabase.directory, 'backups'), BACKUP_EVERY: '1' };
    const options = { clock: () => time.now, monotonicClock: () => time.elapsed };
    const other = await openService(context, engine, { ...options, testDatabase, environment });
    await assertAlerts('backup', undefined, other);
    time.now += 3 * HOUR;
    for (const [message, kind] of [
      ['There is no backup after 3.0 hours', 'created'],
      ['No backup was verified for 3.0 hours', 'verified'],
    ] as const) {
      await assertAlerts('backup', { message }, other);
      const report = { kind, rows: 1, bytes: 1, durationMs: 1 };
      await other.service.database.transaction((tx) =>
        recordBackup(tx, report, { file: 'a', now: time.now }),
      );
    }
    await assertAlerts('backup', undefined, other);
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
