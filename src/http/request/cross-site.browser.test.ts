import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../test/support/browser.ts';
import { startService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from users');

/** Requests that a page may send without a preflight. */
const ATTEMPTS: Readonly<Record<string, (page: Page, url: string) => Promise<unknown>>> = {
  'a script without CORS': (page, url) => post(page, url, { mode: 'no-cors' }),
  'a script without CORS and without a referrer': (page, url) =>
    post(page, url, { mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  'a script that sends text/plain': (page, url) => post(page, url, { body: '{}' }),
  'a form': (page, url) => open(page, formTo(url)),
  'a form with text/plain': (page, url) => open(page, formTo(url, 'enctype="text/plain"')),
  'a form in a sandboxed frame, whose origin is null': (page, url) =>
    open(page, `<iframe sandbox="allow-scripts allow-forms" srcdoc='${formTo(url)}'></iframe>`),
};

/** The script may not see the response: its `fetch` fails. */
function post(page: Page, url: string, options: Record<string, string>): Promise<void> {
  const send = (sent: [string, Record<string, string>]) =>
    fetch(sent[0], { method: 'POST', ...sent[1] }).then(
      () => {},
      () => {},
    );
  return page.evaluate(send, [url, options] as [string, Record<string, string>]);
}

function formTo(url: string, attributes = ''): string {
  return `<form method=post action="${url}" ${attributes}></form><script>document.forms[0].submit()</script>`;
}

function open(page: Page, html: string): Promise<void> {
  return page.evaluate((text) => document.write(text), html);
}

describe('a page of another site in a browser', () => {
  let browser: Browser;
  let other: Server;
  let pageUrl: string;
  before(async () => {
    browser = await openBrowser();
    other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<body></body>'),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    // Not the host of the service, which is 127.0.0.1: another site.
    pageUrl = `http://localhost:${(other.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser.close();
    other.close();
  });

  /** Returns the statuses of the POST requests that the service received, and the number of users afterwards. */
  async function outcome(attempt: (page: Page, url: string) => Promise<unknown>, corsOrigins: string) {
    const started = await startService('sqlite', { environment: { CORS_ORIGINS: corsOrigins } });
    const page = await browser.newPage();
    try {
      await page.goto(pageUrl);
      await attempt(page, `${started.api.url}/api/v1/users`);
      const statuses = () =>
        started.log.filter(({ method }) => method === 'POST').map(({ status }) => status);
      for (let turn = 0; turn < 2_000 && statuses().length === 0; turn++) await started.api.get('/livez');
      return [...statuses(), (await started.service.database.get(COUNT))!.count];
    } finally {
      await page.close();
      await started.stop();
    }
  }

  for (const [title, attempt] of Object.entries(ATTEMPTS)) {
    test(`creates no user record by ${title}`, async () => {
      assert.deepEqual(await outcome(attempt, 'https://app.example.com'), [403, 0]);
    });
  }

  test('creates a user record by a script if its origin is listed', async () => {
    assert.deepEqual(await outcome(ATTEMPTS['a script without CORS']!, pageUrl), [201, 1]);
  });
});
