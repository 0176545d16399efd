/** Tasks of administrators in a fresh installation with imported users, each with the most interactions it may need. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { DAY } from '../../src/lib/time.ts';
import { openBrowser } from '../../test/support/browser/browser.ts';
import { signInBrowser, WIDE } from '../../test/support/browser/console.ts';
import { createHands } from '../../test/support/browser/hands.ts';
import { readData } from '../../test/support/browser/records.ts';
import { waitForEmptyList, waitForStatus } from '../../test/support/browser/steps.ts';
import { noonClock } from '../../test/support/limits.ts';
import { run } from '../../test/support/processes/commands.ts';
import { logIn } from '../../test/support/processes/recovery.ts';
import { type Receiver, respondWith, startReceiver } from '../../test/support/receiver.ts';
import { toEnvironment, useService } from '../../test/support/service.ts';
import { insertTestToken, register } from '../../test/support/users.ts';

const FIRST_NAMES = 'Grace Zeynep Øyvind Ελένη ليلى Богдан Nguyễn נועה Þórdís 美咲'.split(' ');
const LAST_NAMES = 'Hopper Yıldız Sæther Παπαδοπούλου حدّاد Größmann Іваненко לוי 田中'.split(' ');
const clock = noonClock();
const NOW = clock();
const toDay = (daysAgo: number) => new Date(NOW - daysAgo * DAY).toISOString().slice(0, 10);

/** 2,000 users of many languages, one per hour until noon of the day before yesterday. */
function createImportFile(): string {
  const last = Date.parse(`${toDay(2)}T12:00:00.000Z`);
  const rows = Array.from({ length: 1_997 }, (_, index) => {
    const name = `${FIRST_NAMES[index % 10]} ${LAST_NAMES[index % 9]}`;
    return `${name},person.${index}@example.com,${new Date(last - index * 3_600_000).toISOString()}`;
  });
  const created = `${toDay(40)}T12:00:00.000Z`;
  const named = [
    'Rear Admiral Hopper,amazing@example.net',
    'Ann Miller,miller@example.edu',
    'Only,one@example.org',
  ];
  return ['name,email,created_at', ...rows, ...named.map((row) => `${row},${created}`)].join('\n');
}

describe('tasks in the console of a fresh installation with 2,000 imported users', () => {
  const environment = { MAIL_TO_LOG: 'true', WEBHOOK_ALLOW: '127.0.0.1' };
  const service = useService('sqlite', { clock, environment });
  let context: BrowserContext;
  let page: Page;
  let hands: ReturnType<typeof createHands>;
  let receiver: Receiver;
  let person: Awaited<ReturnType<typeof register>>;

  before(async () => {
    const file = join(service.testDatabase.directory, 'users.csv');
    writeFileSync(file, createImportFile());
    const { code, lines } = await run(['users', 'import', file], toEnvironment(service.testDatabase));
    assert.equal(code, 0, lines.join('\n'));
    person = await register(service);
    receiver = await startReceiver(respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'));
    const browser = await openBrowser();
    context = await browser.newContext({ baseURL: service.service.url, viewport: WIDE, timezoneId: 'UTC' });
    await context.clock.setFixedTime(NOW);
    await signInBrowser(context, service);
    page = await context.newPage();
  });
  beforeEach(() => {
    hands = createHands(page);
  });
  after(async () => {
    await context.close();
    await receiver.close();
  });

  const open = (path: string) => page.goto(path);
  const openPerson = () => open(`/console/users/${person.id}`);
  const says = (text: string | RegExp) => waitForStatus(page, text);
  const waitForUser = (text: string) => page.locator('tbody tr').filter({ hasText: text }).first().waitFor();

  test('tasks: an administrator finds a user by any part of the name or email, id or token in 2 interactions', async () => {
    const { database } = service.service;
    const { token } = await insertTestToken(database, person.id);
    const searches = {
      hopper: 'amazing@example.net',
      'miller@ex': 'miller@example.edu',
      '@example.org': 'one@example.org',
      größ: 'Größmann',
      [person.id]: person.email,
      [token.slice(0, 12)]: person.email,
    };
    for (const [text, found] of Object.entries(searches)) {
      await open('/console/settings');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await hands.key('/');
      await page.locator('[type=search]:focus').waitFor();
      await hands.type(text);
      await page.locator('[aria-busy=false] .summary', { hasText: /users?/i }).waitFor();
      await page.waitForURL((url) => url.searchParams.get('search') === text);
      if (text === 'hopper') await page.getByText('Hopper').nth(1).waitFor();
      else await waitForUser(found);
      hands.check(2);
    }
  });

  test('tasks: an administrator lists who signed up today, this week and between two days in at most 4 interactions', async () => {
    await open('/console/users');
    await hands.unfold('Created');
    await hands.press('Today');
    await page.locator('.summary').getByText('1 user', { exact: true }).waitFor();
    await waitForUser(person.email);
    hands.check(2);
    await hands.unfold('Created');
    await hands.press('Last 7 days');
    // 13 and four times 24 of the file, and the person of today.
    await page.locator('.summary').getByText('1–50 of 110 users', { exact: true }).waitFor();
    hands.check(2);
    await open('/console/users');
    await hands.unfold('Created');
    await hands.fill('From', toDay(41));
    await hands.fill('Until', toDay(40));
    await hands.key('Enter');
    await page.waitForURL(
      ({ searchParams }) => searchParams.has('created_from') && searchParams.has('created_to'),
    );
    await waitForUser('miller@example.edu');
    hands.check(4);
  });

  test('tasks: an administrator revokes one device of a user in 2 interactions, and all in 2', async () => {
    await logIn(service, person);
    await openPerson();
    const tokens = page.getByRole('table', { name: 'Tokens of the user' }).locator('tbody tr');
    await tokens.nth(1).waitFor();
    const count = await tokens.count();
    await hands.press(/^Revoke (?!all)/);
    await hands.confirm(/^Revoke/);
    await says('was revoked');
    await tokens.nth(count - 1).waitFor({ state: 'detached' });
    hands.check(2);
    await hands.press('Revoke all…');
    await hands.confirm('Revoke all tokens');
    await page.getByText('The user has no valid token').waitFor();
    hands.check(2);
  });

  test('tasks: an administrator reads the mail that a user got in 2 interactions', async () => {
    await openPerson();
    await hands.follow('Messages to this user');
    await hands.press('Confirm your email address');
    await page.getByRole('link', { name: 'Open the link of this message' }).waitFor();
    hands.check(2);
  });

  test('tasks: an administrator changes a setting in 3 interactions, and undoes it in 1', async () => {
    await open('/console/settings');
    await hands.press('Change Name of the service');
    await hands.fill('New value of Name of the service', 'Hopper Labs');
    await hands.key('Enter');
    await says('changed from Frontdesk to Hopper Labs');
    hands.check(3);
    await hands.press('Undo');
    await page.locator('.side .brand', { hasText: 'Frontdesk' }).waitFor();
    hands.check(1);
  });

  test('tasks: an administrator creates a credential that manages users in 5 interactions', async () => {
    await open('/console/credentials');
    await hands.press('Create credential');
    await hands.fill('Name', 'CRM import');
    await hands.press('Manage users');
    await hands.confirm('Create credential');
    await page.getByRole('dialog', { name: 'The credential CRM import' }).waitFor();
    await hands.press('I have copied it');
    await page.getByRole('row').filter({ hasText: 'CRM import' }).waitFor();
    hands.check(5);
  });

  test('tasks: an administrator erases a user in 4 interactions', async () => {
    await openPerson();
    await hands.unfold('More');
    await hands.press('Erase user…');
    await hands.fill(/^Type /, person.email);
    await hands.key('Enter');
    await says(`${person.email} was erased.`);
    hands.check(4);
    assert.equal(await readData(service, `/api/v1/users/${person.id}`), undefined);
  });

  test('tasks: an administrator connects a webhook and sees the result of its test in 5 interactions', async () => {
    await open('/console/webhooks');
    await waitForEmptyList(page, 'No webhooks yet');
    await hands.press('Create webhook');
    await hands.fill('URL', `${receiver.url}/events`);
    await hands.key('Enter');
    await hands.press('I have copied it');
    await hands.press('Send test');
    await says(/^Test: 204 /);
    await page.locator('.state-cell').getByText('Delivered').first().waitFor();
    assert.ok(receiver.requests.some(({ body }) => body.includes('webhook.test')));
    hands.check(5);
  });
});
