/** Tasks of an administrator in the overview, each with the most interactions it may need. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Database, sql } from '../../../src/database/database.ts';
import { recordBackup } from '../../../src/features/backups/status/backup-events.ts';
import { newId } from '../../../src/lib/secrets/ids.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';
import { createAdministrator } from '../../../test/support/administrators.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { createRecord } from '../../../test/support/browser/records.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { createCurrentDatabase } from '../../../test/support/runner/engines.ts';
import { newUserData, startService, type TestService, useService } from '../../../test/support/service.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../test/support/smtp-server.ts';
import { until } from '../../../test/support/until.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const run = (database: Database, text: string, ...values: (string | number)[]) =>
  database.transaction((tx) => tx.run(sql(text), ...values));

const backUp = (database: Database, now: number) =>
  database.transaction(async (tx) => {
    const file = 'frontdesk.ndjson.zst';
    await recordBackup(tx, { kind: 'created', rows: 1, bytes: 1, durationMs: 1 }, { file, now });
    await recordBackup(tx, { kind: 'verified', durationMs: 1 }, { file, now });
  });

const INSERT_FAILED_MAIL = `
  insert into mail_messages (id, kind, email, email_key, state, reason, attempts, created_at, ended_at)
  values ($1, 'password_changed', 'a@b', 'a@b', 'failed', 'rejected', 1, $2, $2)`;

describe('tasks in the overview: is something wrong', () => {
  const time = { elapsed: 0 };
  const service = {} as { -readonly [Member in keyof TestService]: TestService[Member] };
  const visit = useConsole(service);
  let smtp: TestSmtpServer;

  before(async () => {
    smtp = await startSmtpServer();
    const SECRET_KEY = 'a-secret-key-of-more-than-32-characters';
    const testDatabase = await createCurrentDatabase('sqlite');
    // A service that knows of none makes a backup after a few seconds; after a failure, it waits for an hour.
    const earlier = await startService('sqlite', { testDatabase, environment: { SECRET_KEY } });
    await earlier.service.database.transaction((tx) =>
      recordBackup(tx, { kind: 'failed', message: 'no space left' }, { file: '', now: Date.now() }),
    );
    await earlier.stop();
    const environment = {
      PUBLIC_URL: 'https://accounts.example.com',
      TRUST_PROXY: 'loopback',
      PASSWORD_POLICY: 'nist',
      SECRET_KEY,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'a@example.com',
      BACKUP_DIR: join(testDatabase.directory, 'backups'),
      BACKUP_EVERY: '1',
    };
    const options = { environment, testDatabase, monotonicClock: () => time.elapsed };
    Object.assign(service, await startService('sqlite', options));
    await createAdministrator(service, 'owner');
    await insertTestUser(service.service.database);
  });
  after(async () => {
    await service.stop();
    await service.testDatabase.remove();
    await smtp.close();
  });

  test('tasks: an administrator sees a failing webhook, mail that failed for good and a failed backup without any interaction, until they end, and opens each in 1', async (t) => {
    const { database } = service.service;
    const { page } = await visit(t, '/console');
    const hands = createHands(page);
    const open = async () => {
      time.elapsed += 10_000;
      await page.goto('/console');
    };
    const isWell = async () => {
      await open();
      await page.getByText('All is well').waitFor();
      assert.equal(await page.locator('.alert').count(), 0);
    };
    const showsAlert = async (text: string | RegExp, link: string) => {
      await open();
      await page.locator('.alert').filter({ hasText: text }).waitFor();
      assert.equal(await page.getByText('All is well').count(), 0);
      hands.check(0);
      await hands.follow(link);
      hands.check(1);
    };
    await showsAlert('The last backup failed: no space left', 'Show backups');
    await page.waitForURL('**/console/backups');
    await open();
    await page.locator('.alert').waitFor();
    await checkView(page);
    await backUp(database, Date.now());
    await isWell();

    const body = { url: 'https://crm.example.com/hook', enabled: false };
    const { id } = await createRecord(service, '/api/v1/webhooks', body);
    await run(
      database,
      'update webhook_endpoints set enabled = 1, disabled_reason = null, failing_since = $1',
      Date.now(),
    );
    await showsAlert(/crm\.example\.com does not accept events\s*since/, 'Show webhook');
    await page.waitForURL(`**/console/webhooks/${id}`);
    await run(database, 'update webhook_endpoints set failing_since = null');
    await isWell();

    await run(database, INSERT_FAILED_MAIL, newId(), Date.now());
    await showsAlert('1 message of the last 7 days failed for good', 'Show messages');
    await page.waitForURL('**/console/mail?state=failed');
    await page.getByRole('row').filter({ hasText: 'a@b' }).waitFor();
    await run(database, 'delete from mail_messages');
    await isWell();
  });
});

describe('tasks in the overview: a role that does not see all alerts', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('tasks: an administrator with a role that does not see all alerts reads no word on whether there are any', async (t) => {
    const { database } = service.service;
    const body = { url: 'https://crm.example.com/hook' };
    await createRecord(service, '/api/v1/webhooks', body);
    await run(database, 'update webhook_endpoints set failing_since = $1', Date.now());
    const { page } = await visit(t, '/console', { role: 'support' });
    await page.locator('.figures').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText(/All is well|[Nn]o alerts|Checking/).count(), 0);
    assert.equal(await page.getByRole('region', { name: 'Health' }).count(), 0);
  });
});

describe('tasks in the overview: who signed up', () => {
  // Far from midnight, when days would change in between.
  const time = { now: Math.floor(Date.now() / DAY) * DAY + 2 * HOUR, elapsed: 0 };
  const service = useService('sqlite', {
    clock: () => time.now,
    monotonicClock: () => time.elapsed,
    environment: { TRUST_PROXY: 'loopback' },
  });
  const visit = useConsole(service);
  before(() => insertTestUser(service.service.database, { createdAt: time.now - DAY }));

  test('tasks: an administrator follows a wave of sign-ups from its alert to the users of its domain in 2 interactions, and to its networks in 2', async (t) => {
    const { database } = service.service;
    for (let count = 0; count < 60; count++)
      await insertTestUser(database, {
        createdAt: time.now,
        emailKey: `${count}@wave.example`,
        email: `${count}@wave.example`,
      });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal((await service.api.post('/api/register', newUserData(), { headers })).status, 201);
    await numberAllEvents(database);
    time.elapsed += 10_000;
    const { page } = await visit(t, '/console');
    const hands = createHands(page);
    await hands.follow('Group sign-ups');
    const heading = page.locator('h2', { hasText: 'Sign-ups by domain and network' });
    await heading.and(page.locator(':focus')).waitFor();
    await page.getByRole('row', { name: 'wave.example 60 98 %' }).waitFor();
    await checkView(page);
    await hands.follow('wave.example');
    hands.check(2);
    await page.locator('.summary').getByText('1–50 of 60 users').waitFor();
    await page.goto('/console');
    await hands.follow('Group by domain or network');
    await hands.follow(/^Network$/);
    await page.getByRole('row', { name: /^203\.0\.113\.0\/24 1 / }).waitFor();
    hands.check(2);
    await page.getByLabel('Day (UTC)').selectOption({ index: 1 });
    await page.getByText('users of this day.').waitFor();
    await hands.press('Close');
    await heading.waitFor({ state: 'detached' });
  });

  test('tasks: an administrator lists the users of a bar in 1 interaction, and by keyboard in 3', async (t) => {
    time.elapsed += 10_000;
    const { page } = await visit(t, '/console');
    const hands = createHands(page);
    const chart = page.getByRole('region', { name: 'New users per day', exact: true });
    await chart.getByRole('link', { name: /: 1 new users$/ }).click();
    await page.locator('.summary').getByText('1 user', { exact: true }).waitFor();
    const yesterday = new URL(page.url()).searchParams.get('created_from')!;
    assert.equal(yesterday, new Date(time.now - DAY).toISOString().replace(/T.*/, 'T00:00:00.000Z'));
    await page.goto('/console');
    await page.getByRole('link', { name: /^Mail waiting/ }).focus();
    await hands.key('Tab');
    await hands.key('ArrowLeft');
    await hands.key('Enter');
    await page.waitForURL((url) => url.searchParams.get('created_from') === yesterday);
    hands.check(3);
  });
});

describe('tasks in the overview: what now', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('tasks: an administrator of an empty service finds five steps, which are ticked when they are done, and hides them in 1 interaction', async (t) => {
    const { page } = await visit(t, '/console');
    const hands = createHands(page);
    const done = page.locator('.step.done');
    await page.getByText('0 of 5 done').waitFor();
    assert.equal(await page.locator('.step').count(), 5);
    assert.equal(await page.locator('.figures, .chart').count(), 0);
    await checkView(page);
    const command = await page.getByRole('group', { name: 'First request' }).innerText();
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    assert.match(stdout, /"access_token"/);
    /** The page loads the facts again when the window gets the focus; the service computes them every two seconds. */
    const comeBackUntil = async (text: string) => {
      const isShown = async () => {
        await page.evaluate(() => void dispatchEvent(new Event('focus')));
        return page.getByText(text).isVisible();
      };
      await until(isShown, text);
    };
    await comeBackUntil('1 of 5 done');
    const isTicked = (title: string) => done.filter({ hasText: title }).waitFor();
    await isTicked('Send a first request: done');
    await page.locator('.figures').waitFor();
    await createAdministrator(service, 'owner');
    await backUp(service.service.database, Date.now());
    await page.reload();
    await comeBackUntil('3 of 5 done');
    await isTicked('Create an owner of your own');
    await isTicked('Make a backup');
    await hands.press('Hide');
    hands.check(1);
    await page.getByText('First steps').waitFor({ state: 'detached' });
    await page.reload();
    // Their advice is shown as alerts from then on.
    await page.locator('.alert').filter({ hasText: 'PUBLIC_URL is not set' }).waitFor();
    assert.equal(await page.locator('.step').count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page
      .getByLabel('ADMIN_TOKEN')
      .or(page.getByRole('heading', { name: /sign in/i }))
      .first()
      .waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('frontdesk:steps')), 'hidden');
  });
});
