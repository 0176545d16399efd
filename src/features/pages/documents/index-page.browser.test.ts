import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../../../test/support/browser/accessibility.ts';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { useService } from '../../../../test/support/service.ts';

interface Visit {
  readonly page: Page;
  readonly errors: string[];
}

describe('the index page in a browser', () => {
  const service = useService('sqlite');
  /** Opens the page in a window 320 pixels wide. `errors` collects violations of the content security policy too. */
  async function visit(t: TestContext, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
    const browser = await openBrowser();
    const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 640 } });
    t.after(() => page.close());
    const errors: string[] = [];
    page.on('console', (entry) => entry.type() === 'error' && errors.push(entry.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${service.api.url}/`);
    return { page, errors };
  }

  for (const [colorScheme, background] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(20, 23, 28)'],
  ] as const) {
    test(`the index page fits 320 pixels and has no violation that axe finds in the ${colorScheme} color scheme`, async (t) => {
      const { page, errors } = await visit(t, colorScheme);
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
        background,
      );
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(errors, []);
    });
  }

  test('the index page has links that all lead to a response with 200', async (t) => {
    const { page } = await visit(t);
    const urls = await page
      .locator('a:not(.skip)')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    assert.ok(urls.length > 10, urls.join());
    for (const url of new Set(urls)) {
      const response = await page.goto(url);
      assert.equal(response?.status(), 200, url);
    }
  });

  test('the index page opens the reference, which links back to it', async (t) => {
    const { page } = await visit(t);
    await page.locator('main a', { hasText: 'API reference' }).click();
    await page.locator('section.operation').first().waitFor();
    await page.locator('header a.brand').click();
    await page.waitForURL(`${service.api.url}/`);
    assert.equal(await page.locator('h1').innerText(), 'Frontdesk');
  });
});
