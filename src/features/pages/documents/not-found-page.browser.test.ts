import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeViolations } from '../../../../test/support/browser/accessibility.ts';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { openService, useSharedService } from '../../../../test/support/service.ts';

const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const PATHS = [
  '/nothing-here',
  '/console/nothing-here',
  '/docs/nothing-here',
  '/api/v1/nothing',
  '/assets/x.js',
];

describe('paths that do not exist', () => {
  const service = useSharedService('sqlite');

  for (const path of PATHS) {
    test(`the unknown path ${path} responds to a browser with a page, status 404 and the default headers`, async () => {
      const { status, headers, text } = await service.api.get(path, { headers: { accept: BROWSER_ACCEPT } });
      assert.equal(status, 404);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      for (const part of ['<title>Page not found</title>', 'href="/"', 'href="/docs"', 'href="/console"'])
        assert.ok(text.includes(part), part);
      assert.ok(!text.includes(path), 'the page does not repeat the path');
      const policy = headers.get('content-security-policy')!;
      assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.deepEqual(
        ['vary', 'cache-control', 'x-content-type-options', 'x-frame-options', 'referrer-policy'].map(
          (name) => headers.get(name),
        ),
        ['Accept', 'no-store', 'nosniff', 'DENY', 'no-referrer'],
      );
      assert.ok(headers.has('x-request-id'));
    });
  }

  test('the not-found page has the base path of PUBLIC_URL in its links, and no link to a console that is off', async (context) => {
    const environment = { PUBLIC_URL: 'https://example.com/desk', CONSOLE: 'off' };
    const below = await openService(context, 'sqlite', { environment });
    const { text } = await below.api.get('/console', { headers: { accept: BROWSER_ACCEPT } });
    for (const part of ['<title>Page not found</title>', 'href="/desk/"', 'href="/desk/docs"'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes('console"'));
  });

  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });

  test('the not-found page fits 320 pixels, passes axe and leads to the start page', async (context) => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    context.after(() => page.close());
    const errors: string[] = [];
    page.on('console', (entry) => entry.type() === 'error' && errors.push(entry.text()));
    const response = await page.goto(`${service.api.url}/console/nothing-here`);
    assert.equal(response?.status(), 404);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(await axeViolations(page), []);
    // The browser itself reports the status.
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 404')),
      [],
    );
    await page.getByRole('link', { name: 'Start page' }).click();
    await page.waitForURL(`${service.api.url}/`);
  });
});
