import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../test/support/browser/keyboard.ts';
import { useService } from '../../test/support/service.ts';

describe('the search in documents', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const links = (page: Page) => page.locator('.search-dialog a');
  const search = async (page: Page, words: string) => {
    await page.keyboard.press('/');
    await page.keyboard.type(words);
  };

  test('the search finds a section by words of its text, shows them in an excerpt, and opens it by keyboard alone', async (t) => {
    const { page } = await visit(t, '/docs/forms', { isSignedIn: false });
    await search(page, 'supervisor compile');
    const first = links(page).first();
    await first.locator('.excerpt mark').first().waitFor();
    assert.equal(await first.locator('small').innerText(), 'Operations');
    assert.equal(await first.locator('strong').innerText(), 'Starting');
    assert.match(await first.locator('.excerpt').innerText(), /supervisor/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.api.url}/docs/operations#starting`);
  });

  test('the search moves between its field and its results by arrows, and Escape returns to the page', async (t) => {
    const { page } = await visit(t, '/', { isSignedIn: false });
    await search(page, 'webhooks');
    await links(page).nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await waitForFocus(page, '.search-dialog li:nth-child(2) a');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await waitForFocus(page, '.search-dialog input');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  test('the search ranks headings before texts, begins with a part of a word, and says when no section has all words', async (t) => {
    const { page } = await visit(t, '/docs/forms', { isSignedIn: false });
    await search(page, 'idemp');
    const first = links(page).first();
    assert.equal(await first.locator('strong').innerText(), 'Idempotency');
    assert.equal(await first.getAttribute('href'), '/docs/idempotency#idempotency');
    await page.keyboard.type(' xylophone');
    await page.getByText('No section has all of these words. These have some.').waitFor();
    await page.locator('.search-dialog input').fill('xylophone');
    await page.getByText('No document has these words.').waitFor();
    assert.equal(await links(page).count(), 0);
  });

  test('the search opens by its button, passes axe with results, and shows that its index could not be loaded', async (t) => {
    const { page } = await visit(t, '/docs/problems', { isSignedIn: false });
    await page.route('**/assets/search-*', (route) => route.abort());
    await tabTo(page, '.open-search');
    await page.keyboard.press('Enter');
    await page.getByText('The index of the documents could not be loaded.').waitFor();
    await page.unroute('**/assets/search-*');
    await page.keyboard.type('email');
    await links(page).first().locator('.excerpt mark').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await checkView(page);
    }
  });
});
