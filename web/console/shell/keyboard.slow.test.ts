import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus, waitForFocusedText } from '../../../test/support/browser/keyboard.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

describe('the keys of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    for (const name of ['Edsger', 'Ada', 'Grace'])
      await insertTestUser(service.service.database, { name, email: `${name}@example.com` });
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
