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

  test('the command palette offers only permitted entries, and the keys of the console list it', async (t) => {
    const { page } = await visit(t, '/console/events', { role: 'auditor' });
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.keyboard.press('?');
    await page
      .getByRole('dialog', { name: 'Keys' })
      .getByText('Go to a page or a user, or begin an action')
      .waitFor();
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
});
