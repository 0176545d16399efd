import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
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
});
