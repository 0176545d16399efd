import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus, waitForFocusedText } from '../../../test/support/browser/keyboard.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe('the keys of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    for (const name of ['Edsger', 'Ada', 'Grace'])
      await insertTestUser(service.service.database, { name, email: `${name}@example.com` });
  });

  test('the keys of the console search from any page, move among the rows and open one', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('/');
    await waitForFocus(page, '[type=search]');
    await page.locator('tbody tr').nth(2).waitFor();
    const names = await page.locator('tbody .main-cell').allTextContents();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[0]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[2], 'stays in the last row');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focusedText(page), names[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: names[1]! }).waitFor();
    await page.getByText('There are no events yet.').waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[1], 'scrolls a page that is not a list');
  });

  test('the keys of the console select a row, and clear the search before the selection', async (t) => {
    const { page } = await visit(t, '/console/users?search=ada');
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await waitForFocus(page, '.main-cell a');
    await page.keyboard.press('x');
    await page.getByText('1 selected:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected:').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await waitForFocus(page, '[type=search]');
    await page.keyboard.press('Escape');
    await page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
  });

  test('the keys of the console are listed in a dialog, which returns the focus, and are letters in a field', async (t) => {
    const { page } = await visit(t, '/console/users');
    await page.getByRole('searchbox').fill('a');
    await page.keyboard.press('?');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'a?');
    await page.getByRole('button', { name: 'Create user' }).focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('Search users').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocusedText(page, 'Create user');
  });
});
