import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { waitForEmptyList } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';
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
    assert.equal((await listOptions(page)).length, 26, 'all pages and actions');
    await page.keyboard.type('web');
    await page.getByText('2 found.').waitFor();
    await waitForSelected(page, 'Webhooks');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await waitForEmptyList(page, 'No webhooks yet');
    await page.getByRole('button', { name: 'Create webhook' }).focus();
    await page.keyboard.press('Meta+k');
    await waitForFocus(page, FIELD);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForFocus(page, 'button:has-text("Create webhook")');
    await page.keyboard.press('Control+k');
    await waitForFocus(page, FIELD);
    await page.keyboard.type('example');
    await page.getByText('2 found.').waitFor();
    const names = (await listOptions(page)).map((text) => text.split('\n')[0]!);
    assert.deepEqual(names.toSorted(), ['Grace Hopper', 'Greta Garbo']);
    await page.keyboard.press('ArrowDown');
    await waitForSelected(page, names[1]!);
    const selectedId = await page.locator('dialog [aria-selected=true]').getAttribute('id');
    assert.equal(await page.locator(FIELD).getAttribute('aria-activedescendant'), selectedId);
    await page.keyboard.press('ArrowDown');
    await waitForSelected(page, names[0]!);
    await page.keyboard.press('ArrowUp');
    await waitForSelected(page, names[1]!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: names[1]! }).waitFor();
  });

  test('the command palette offers only permitted entries, and the keys of the console list it', async (t) => {
    const { page } = await visit(t, '/console/events', { role: 'auditor' });
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.keyboard.press('?');
    await page.getByText('Go to a page or a user, or begin an action').waitFor();
    await page.keyboard.press('Control+k');
    assert.equal(await page.getByRole('dialog').count(), 1, 'not above another dialog');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByText('16 found.').waitFor();
    const labels = (await listOptions(page)).map((text) => text.split('\n')[0]);
    assert.deepEqual(labels, [
      ...['Overview', 'Users', 'Groups', 'Forms', 'Events', 'Mail', 'Applications'],
      ...['Settings', 'Brand', 'Backups', 'API reference', 'Documents'],
      ...['Theme: System', 'Theme: Light', 'Theme: Dark', 'Sign out'],
    ]);
  });

  test('the command palette opens by its keys as soon as the console is shown', async (t) => {
    const { page } = await visit(t, '/docs');
    // Presses them in the microtask after the first rendering, which is before the frame.
    await page.addInitScript(() => {
      const press = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
      new MutationObserver((_, observer) => {
        if (document.querySelector('nav[aria-label=Console]') === null) return;
        observer.disconnect();
        press();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/console/settings');
    await waitForFocus(page, FIELD);
  });

  test('the command palette sends one search when typing pauses, and says that nothing is found or why it failed', async (t) => {
    const { page } = await visit(t, '/console/forms');
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
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
    const { page } = await visit(t, '/console/forms');
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
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

  test('the command palette begins actions in groups below the pages, near the top of the window, and opens first what was opened last', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('button', { name: 'Search' }).click();
    await waitForFocus(page, FIELD);
    const { y } = (await page.getByRole('dialog').boundingBox())!;
    assert.ok(y < 110, String(y));
    assert.deepEqual(await page.getByRole('dialog').getByRole('group').count(), 2);
    await page.keyboard.type('create w');
    await waitForSelected(page, 'Create webhook');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create webhook' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mail');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
    await page.keyboard.press('Control+k');
    await waitForSelected(page, 'Mail');
    const recent = page.getByRole('group', { name: 'Opened last' }).getByRole('option');
    assert.deepEqual(await recent.allInnerTexts(), ['Mail']);
    await page.keyboard.type('theme: dark');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'detached' });
  });
});
