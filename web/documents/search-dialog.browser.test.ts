import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../test/support/browser/console.ts';
import { useSharedService } from '../../test/support/service.ts';

describe('the search in documents', () => {
  const service = useSharedService('sqlite');
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
});
