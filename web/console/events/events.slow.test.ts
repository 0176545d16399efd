import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { changeRecord, createRecord, readData } from '../../../test/support/browser/records.ts';
import { waitForAlert, waitForQuery } from '../../../test/support/browser/steps.ts';
import { createListedEvent } from '../../../test/support/listed-event.ts';
import { logIn } from '../../../test/support/processes/recovery.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { register } from '../../../test/support/users.ts';

const rows = (page: Page) => page.locator('.events > tbody > tr:not(.fold)');
const chips = (page: Page) => page.getByRole('list', { name: 'Filters' }).getByRole('listitem');

/** Waits until the list has loaded with this number of events. */
async function shows(page: Page, text: string): Promise<void> {
  await page.locator('.summary').getByText(text, { exact: true }).waitFor();
}

describe('the events in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  let person: Awaited<ReturnType<typeof register>>;

  before(async () => {
    person = await register(service);
    await logIn(service, { ...person, password: 'a wrong password' });
    const path = `/api/v1/users/${person.id}`;
    assert.equal((await changeRecord(service, path, { state: 'disabled' })).status, 200);
    await register(service);
    const list = () => readData(service, '/api/v1/events?type=user.created');
    await until(async () => (await list()).length === 2, 'the events are numbered');
  });

  test('the events page has one line for each event, with failures in red, acts of administrators in amber, and changes of members when it is folded out', async (t) => {
    const { page } = await visit(t, '/console/events');
    const failed = rows(page).filter({ hasText: 'Sign-in failed: wrong password' });
    await failed.locator('.badge.bad').waitFor();
    await failed.getByText(person.email).waitFor();
    await rows(page).filter({ hasText: 'User disabled' }).locator('.badge.warn').waitFor();
    const registered = rows(page).filter({ hasText: 'Registered' }).first();
    assert.equal(await registered.locator('.badge').count(), 0);
    assert.match(await registered.locator('time').innerText(), /:\d\d:\d\d/, 'has seconds');
    await page.getByRole('button', { name: 'User disabled' }).click();
    await page.getByText('state: active → disabled').waitFor();
  });

  test('the events page folds an event out by keyboard into its sentence, its reason, its request and its JSON', async (t) => {
    const { page } = await visit(t, '/console/events?outcome=failure');
    const button = page.getByRole('button', { name: 'Sign-in failed: wrong password' });
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    await tabTo(page, '.fold-button');
    await page.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    const detail = page.locator('.fold');
    await detail.getByText(`Sign-in failed for ${person.email}: wrong password.`).waitFor();
    await detail.getByText('The password was wrong.').waitFor();
    await detail.getByRole('link', { name: 'All events about this user' }).waitFor();
    await detail.getByText('Request', { exact: true }).waitFor();
    const json = JSON.parse(await detail.getByRole('group', { name: 'Event as JSON' }).innerText());
    assert.deepEqual([json.type, json.reason], ['login.failed', 'wrong_password']);
    await detail.getByRole('button', { name: 'Copy: Event as JSON' }).waitFor();
    await button.press('Enter');
    await detail.waitFor({ state: 'detached' });
  });

  test('the events page folds an event out and in by a click anywhere in its row, but not by one on its link', async (t) => {
    const { page } = await visit(t, '/console/events?outcome=failure');
    const row = rows(page).first();
    await row.getByText('Anonymous').click();
    await page.getByText('The password was wrong.').waitFor();
    await row.locator('time').click();
    await page.locator('.fold').waitFor({ state: 'detached' });
    await row.getByRole('link', { name: person.email }).click();
    await page.waitForURL(`**/console/users/${person.id}`);
  });

  test('the events page saves the events of its filters as NDJSON', async (t) => {
    const { page } = await visit(t, '/console/events');
    await page.getByRole('button', { name: 'Export all (NDJSON)' }).waitFor();
    await page.getByLabel('Outcome').selectOption('Failures');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export matching events (NDJSON)' }).click();
    const file = await saving;
    assert.match(file.suggestedFilename(), /^events-\d{4}-\d{2}-\d{2}\.ndjson$/);
    await page.getByText(`${file.suggestedFilename()} was saved`).waitFor();
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).type),
      ['login.failed'],
    );
  });

  test('the events page applies each filter at once, keeps it in the address, and removes it by its chip', async (t) => {
    const { page } = await visit(t, '/console/events');
    await rows(page).nth(3).waitFor();
    await page.getByLabel('Outcome').selectOption('Failures');
    await shows(page, '1 event');
    await page.getByLabel('Event', { exact: true }).selectOption('Sign-in failed');
    await page.locator('summary', { hasText: 'By' }).click();
    await page.getByRole('link', { name: 'Anonymous' }).click();
    await page.locator('summary', { hasText: 'About' }).click();
    await waitForFocus(page, 'input');
    await page.keyboard.type(person.email.slice(0, 12));
    await page.getByRole('search').getByText(person.email).click();
    await page.getByText('Time', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.waitForURL(/from=/);
    const { from, ...query } = Object.fromEntries(new URL(page.url()).searchParams);
    assert.ok(Math.abs(Date.parse(from!) - (Date.now() - 3_600_000)) < 60_000);
    const subject = `user:${person.id}`;
    assert.deepEqual(query, { type: 'login.failed', outcome: 'failure', actor: 'anonymous', subject });
    await page.reload();
    await shows(page, '1 event');
    await chips(page)
      .filter({ hasText: `About ${person.email}` })
      .waitFor();
    assert.equal(await chips(page).count(), 6);
    await checkView(page);
    await chips(page).filter({ hasText: 'Outcome' }).getByRole('link').click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('outcome'));
    await page.getByRole('link', { name: 'Clear', exact: true }).click();
    await rows(page).nth(3).waitFor();
    await waitForQuery(page, {});
    await page.goBack();
    await shows(page, '1 event');
  });

  test('the events page limits the events by two times that one enters, says that none matches, and leads to all', async (t) => {
    const { page } = await visit(t, '/console/events');
    await rows(page).first().waitFor();
    await page.getByText('Time', { exact: true }).first().click();
    await page.getByLabel('From').fill('2020-01-31T10:00');
    await page.getByLabel('From').blur();
    await page.waitForURL(/from=2020-01-31/);
    await rows(page).first().waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-02-01T10:00');
    await page.getByLabel('To', { exact: true }).blur();
    await page.getByText('No event matches these filters.').waitFor();
    // The menu may cover the link.
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Show all events' }).click();
    await page.waitForURL('**/console/events');
  });

  test('the events page ignores filters in the address that it does not know', async (t) => {
    const { page } = await visit(t, '/console/events?type=toString&outcome=x&actor=y&from=z');
    await rows(page).nth(3).waitFor();
    assert.equal(await chips(page).count(), 0);
  });
});

/** A response of the service with these events. */
const body = (data: readonly unknown[], next_cursor: string | null) => ({
  json: { message: 'Events', data, next_cursor },
});

describe('the pages of the events in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  const makeEvent = (id: string) =>
    createListedEvent({ id, user: { id: 'a', email: `${id}@example.com`, name: null } });

  test('the events page loads more events below, over empty pages, and Back shows them again', async (t) => {
    // A page without events of its own.
    const { page } = await visit(t, '/console/settings');
    const asked: (string | null)[] = [];
    await page.route('**/api/v1/events?*', (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      asked.push(cursor);
      if (cursor === null) return route.fulfill(body([makeEvent('one')], '1'));
      const number = Number(cursor);
      if (number < 9) return route.fulfill(body([], String(number + 1)));
      return route.fulfill(body([makeEvent('two')], null));
    });
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await shows(page, '1 event so far');
    await page.getByRole('button', { name: 'Load more' }).click();
    await until(() => Promise.resolve(asked.length === 6), 'five empty pages are loaded');
    await page.getByRole('button', { name: 'Load more' }).click();
    await shows(page, '2 events');
    assert.deepEqual(asked, [null, '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    assert.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0);
    assert.deepEqual(await rows(page).locator('td:nth-child(3)').allInnerTexts(), [
      'one@example.com',
      'two@example.com',
    ]);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goBack();
    await shows(page, '2 events');
  });

  test('the events page offers to continue a search without a match so far', async (t) => {
    const { page } = await visit(t, '/console');
    let isFound = false;
    await page.route('**/api/v1/events?*', (route) =>
      route.fulfill(isFound ? body([makeEvent('one')], null) : body([], 'next')),
    );
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByText('Older ones were not searched yet.').waitFor();
    isFound = true;
    await page.getByRole('button', { name: 'Continue the search' }).click();
    await shows(page, '1 event');
    await waitForFocus(page, '.summary');
  });

  test('the events page says that loading failed, keeps the shown events, and tries again', async (t) => {
    const { page } = await visit(t, '/console');
    await page.route('**/api/v1/events?*', (route) => route.abort('connectionfailed'));
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The events could not be loaded' });
    await alert.waitFor();
    await checkView(page);
    await page.unroute('**/api/v1/events?*');
    await page.route('**/api/v1/events?*', (route) => route.fulfill(body([makeEvent('one')], 'next')));
    await alert.getByRole('button', { name: 'Try again' }).click();
    await shows(page, '1 event so far');
    await page.unroute('**/api/v1/events?*');
    await page.route('**/api/v1/events?*', (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Load more' }).click();
    await waitForAlert(page, 'More events could not be loaded');
    await shows(page, '1 event so far');
  });
});

describe('the events of webhooks and credentials in the console', () => {
  const service = useService('sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const visit = useConsole(service);
  const admin = { token: ADMIN_TOKEN };
  const create = async (path: string, body: object) => (await createRecord(service, path, body)).id;

  test('the events name webhooks by their host and credentials by their name, with links, and say which were deleted', async (t) => {
    const settings = (port: number) => ({
      url: `https://127.0.0.1:${port}/secret-path`,
      types: ['user.created'],
    });
    const kept = await create('/api/v1/webhooks', settings(8443));
    const deleted = await create('/api/v1/webhooks', settings(9443));
    await create('/api/v1/credentials', { name: 'Backup', scopes: ['users:read'] });
    assert.equal(
      (await service.api.delete(`/api/v1/webhooks/${deleted}`, { ...admin, headers: { 'if-match': '*' } }))
        .status,
      204,
    );
    const isNumbered = async () =>
      (await readData(service, '/api/v1/events?type=webhook.deleted')).length === 1;
    await until(isNumbered, 'the events are numbered');
    const { page } = await visit(t, '/console/events');
    const created = rows(page).filter({ hasText: 'Webhook created' });
    await created.getByText('Deleted webhook').waitFor();
    await rows(page).filter({ hasText: 'Webhook deleted' }).getByText('Deleted webhook').waitFor();
    await rows(page).getByRole('link', { name: 'Credential “Backup”' }).waitFor();
    const named = created.filter({ has: page.getByRole('link', { name: 'Webhook 127.0.0.1:8443' }) });
    assert.equal(await page.getByText('secret-path').count(), 0);
    assert.equal(await rows(page).filter({ hasText: kept }).count(), 0);
    await named.getByRole('button').click();
    await page.getByText('created the webhook 127.0.0.1:8443.').waitFor();
    await page.locator('.fold').getByRole('link', { name: 'Webhook 127.0.0.1:8443' }).waitFor();
    await page.goto('/console');
    const latest = page.getByRole('table', { name: 'Latest events' });
    await latest.getByText('Deleted webhook').first().waitFor();
    await latest.getByRole('link', { name: 'Webhook 127.0.0.1:8443' }).click();
    await page.waitForURL(`**/console/webhooks/${kept}`);
  });

  test('the events say only that it was a webhook to a person who may not read webhooks', async (t) => {
    const { page } = await visit(t, '/console/events?type=webhook.created', { role: 'auditor' });
    await rows(page).getByText('Webhook', { exact: true }).first().waitFor();
    assert.equal(await rows(page).getByRole('link').count(), 0);
  });
});
