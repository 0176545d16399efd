/** Tasks of administrators by keyboard only, each with the most keys that it may need. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { confirm, waitForStatus } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

describe('tasks in the console by keyboard', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  before(async () => {
    for (const name of ['Ada Lovelace', 'Grace Hopper', 'Mary Jackson', 'Edsger Dijkstra'])
      await insertTestUser(service.service.database, { name, email: `${name.split(' ')[0]}@example.com` });
  });

  const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  const isInBar = (page: Page) => page.evaluate(() => document.activeElement?.closest('.bulk') !== null);
  const rows = (page: Page) => page.locator('tbody tr');

  test('the keys of the console search from any page, move among the rows and open one', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('/');
    await waitForFocus(page, '[type=search]');
    await rows(page).nth(3).waitFor();
    const names = await page.locator('tbody .main-cell').allTextContents();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[0]);
    for (let count = 0; count < 4; count++) await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[3], 'stays in the last row');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focusedText(page), names[2]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: names[2]! }).waitFor();
    await page.getByText('There are no events yet.').waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(page), names[2], 'scrolls a page that is not a list');
  });

  test('tasks: an administrator finds a user and begins to disable it in 6 interactions', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const hands = createHands(page);
    await hands.key('/');
    await page.locator('[type=search]:focus').waitFor();
    await hands.type('hopper');
    await page.waitForURL(({ searchParams }) => searchParams.get('search') === 'hopper');
    await page.locator('[aria-busy=false] .summary', { hasText: '1 user' }).waitFor();
    await hands.key('ArrowDown');
    await waitForFocus(page, '.main-cell a');
    await hands.key('x');
    await page.getByText('1 selected:').waitFor();
    await hands.key('Tab');
    assert.equal(await focusedText(page), 'Disable…');
    await hands.key('Enter');
    const dialog = page.getByRole('dialog', { name: /^Disable/ });
    await dialog.waitFor();
    hands.check(6);
    await dialog.getByRole('button', { name: /^Disable/ }).press('Enter');
    await rows(page).filter({ hasText: 'Grace Hopper' }).getByText('Disabled').waitFor();
    await waitForStatus(page, '1 user disabled');
  });

  test('tasks: an administrator reaches the actions on the selection within three Tab of a row, and the next row after them', async (t) => {
    const { page } = await visit(t, '/console/users');
    await rows(page).nth(3).waitFor();
    await page.getByLabel('Select Mary@example.com').press('Space');
    await page.getByText('1 selected:').waitFor();
    const hands = createHands(page);
    while (!(await isInBar(page))) await hands.key('Tab');
    hands.check(3);
    await page.keyboard.press('Shift+Tab');
    await waitForFocus(page, 'tr.selected .main-cell a');
    await page.keyboard.press('Tab');
    while (await isInBar(page)) await page.keyboard.press('Tab');
    const next = rows(page).nth(2).locator('input');
    assert.ok(await next.evaluate((input) => input === document.activeElement));
  });

  for (const width of [1280, 390])
    test(`a message covers neither the bar of the selection nor the end of the page at ${width} pixels`, async (t) => {
      const { page } = await visit(t, '/console/users', { viewport: { width, height: 700 } });
      await rows(page).nth(3).waitFor();
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Enable…' }).click();
      await confirm(page, /^Enable/);
      const toast = page.locator('.toast');
      await toast.waitFor();
      await page.getByLabel('Select all on this page').check();
      const bar = (await page.locator('.bulk').boundingBox())!;
      const message = (await toast.boundingBox())!;
      assert.ok(message.y + message.height <= bar.y, JSON.stringify({ message, bar }));
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const end = (await page.locator('.list-tools').boundingBox())!;
      const raised = (await toast.boundingBox())!;
      assert.ok(end.y + end.height <= raised.y, JSON.stringify({ raised, end }));
    });
});
