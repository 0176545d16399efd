import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const FIELD = 'dialog [role=combobox]';

describe('the command palette of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  before(async () => {
    const { database } = service.service;
    await insertTestUser(database, { name: 'Grace Hopper', email: 'grace@example.com' });
    await insertTestUser(database, { name: 'Greta Garbo', email: 'greta@example.com' });
  });

  const listOptions = (page: Page) => page.getByRole('dialog').getByRole('option').allInnerTexts();
  const waitForSelected = (page: Page, hasText: string) =>
    page.getByRole('dialog').getByRole('option', { selected: true }).filter({ hasText }).waitFor();

  test('the command palette opens a page and a user by keyboard only, and returns the focus when it is closed', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('Control+k');
    await waitForFocus(page, FIELD);
    assert.equal((await listOptions(page)).length, 15, 'all pages');
    await page.keyboard.type('web');
    await page.getByText('1 found.').waitFor();
    await waitForSelected(page, 'Webhooks');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).first().focus();
    await page.keyboard.press('Meta+k');
    await waitForFocus(page, FIELD);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForFocus(page, 'button:has-text("Create webhook")');
    await page.keyboard.press('Control+k');
    await waitForFocus(page, FIELD);
    await page.keyboard.type('gr');
    await page.getByText('2 found.').waitFor();
    const names = (await listOptions(page)).map((text) => text.split('\n')[0]!);
    assert.deepEqual(names.toSorted(), ['Grace Hopper', 'Greta Garbo']);
    await page.keyboard.press('ArrowDown');
    await waitForSelected(page, names[1]!);
    const selectedId = await page
      .getByRole('dialog')
      .getByRole('option', { selected: true })
      .getAttribute('id');
    assert.equal(await page.locator(FIELD).getAttribute('aria-activedescendant'), selectedId);
    await page.keyboard.press('ArrowDown');
    await waitForSelected(page, names[0]!);
    await page.keyboard.press('ArrowUp');
    await waitForSelected(page, names[1]!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: names[1]! }).waitFor();
  });

  test('the command palette sends one search when typing pauses, and says that nothing is found or why it failed', async (t) => {
    const { page } = await visit(t, '/console/form-check');
    await page.getByRole('heading', { level: 1, name: 'Form check' }).waitFor();
    const searches: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/v1/users') searches.push(searchParams.get('search')!);
    });
    await page.keyboard.press('Control+k');
    await page.locator(FIELD).fill('nobod');
    await page.locator(FIELD).fill('nobody');
    await page.getByText('Nothing is found.').waitFor();
    assert.equal(searches.at(-1), 'nobody');
    assert.ok(searches.length <= 2, String(searches));
    assert.deepEqual(await listOptions(page), []);
    await page.keyboard.press('Enter');
    await page.route('**/api/v1/users?*', (route) => route.abort('internetdisconnected'));
    await page.locator(FIELD).fill('grace');
    await page.getByText('The users could not be searched:').waitFor();
  });

  test('the command palette leads to the list of all users when it does not show them all, and to the documents', async (t) => {
    for (let number = 0; number < 9; number++)
      await insertTestUser(service.service.database, { name: `Many ${number}` });
    const { page } = await visit(t, '/console/form-check');
    await page.getByRole('heading', { level: 1, name: 'Form check' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator(FIELD).fill('many');
    await page.getByText('The first 8 found.').waitFor();
    await page.keyboard.press('ArrowUp');
    await waitForSelected(page, 'All users with “many”');
    await page.keyboard.press('Enter');
    await page.locator('.summary').getByText('9 users').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator(FIELD).fill('api');
    await waitForSelected(page, 'API reference');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs');
  });

  test('the command palette offers only permitted entries, and the keys of the console list it', async (t) => {
    const input = { name: 'Mail watcher', scopes: ['events:read'] };
    const { body, status } = await service.api.post('/api/v1/credentials', input, { token: ADMIN_TOKEN });
    assert.equal(status, 201);
    const { page } = await visit(t, '/console/events', { credential: body.data.credential });
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to a page or a user').waitFor();
    await page.keyboard.press('Control+k');
    assert.equal(await page.getByRole('dialog').count(), 1, 'not above another dialog');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByText('5 found.').waitFor();
    const labels = (await listOptions(page)).map((text) => text.split('\n')[0]);
    assert.deepEqual(labels, ['Events', 'Form check', 'Your credential', 'API reference', 'Documents']);
    let searches = 0;
    page.on('request', () => searches++);
    await page.locator(FIELD).fill('grace');
    await page.getByText('Nothing is found.').waitFor();
    assert.equal(searches, 0);
  });
});
