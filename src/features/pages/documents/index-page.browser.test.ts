import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { useSharedService } from '../../../../test/support/service.ts';

describe('the index page in a browser', () => {
  const service = useSharedService('sqlite');

  async function visit(t: TestContext): Promise<Page> {
    const page = await (await openBrowser()).newPage();
    t.after(() => page.close());
    await page.goto(`${service.api.url}/`);
    return page;
  }

  test('the index page has links that all lead to a response with 200', async (t) => {
    const page = await visit(t);
    const urls = await page
      .locator('a:not([href^="#"])')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    assert.ok(urls.length > 10, urls.join());
    for (const url of new Set(urls)) {
      const response = await page.request.get(url, { headers: { accept: 'text/html, */*;q=0.1' } });
      assert.equal(response.status(), 200, url);
    }
  });

  test('the index page opens the reference, which links back to it', async (t) => {
    const page = await visit(t);
    await page.locator('main a', { hasText: 'API reference' }).click();
    await page.locator('section.operation').first().waitFor();
    await page.locator('header a.brand').click();
    await page.waitForURL(`${service.api.url}/`);
    assert.equal(await page.locator('h1').innerText(), 'Frontdesk');
  });
});
