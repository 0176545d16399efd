import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../test/support/browser/browser.ts';
import { startService, type TestService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { sql } from '../../database/database.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from users');

type SendAttempt = (page: Page, url: string) => Promise<unknown>;

/** Requests that a page may send without a preflight. */
const ATTEMPTS: Readonly<Record<string, SendAttempt>> = {
  'a script without CORS': (page, url) => post(page, url, { mode: 'no-cors' }),
  'a script that sends text/plain': (page, url) => post(page, url, { body: '{}' }),
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

function formTo(url: string): string {
  return `<form method=post action="${url}"></form><script>document.forms[0].submit()</script>`;
}

function open(page: Page, html: string): Promise<void> {
  return page.evaluate((text) => document.write(text), html);
}

describe('a page of another site in a browser', () => {
  const service = useService('sqlite', { environment: { CORS_ORIGINS: 'https://app.example.com' } });
  let other: Server;
  let pageUrl: string;
  before(async () => {
    other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<body></body>'),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    // Not the host of the service, which is 127.0.0.1: another site.
    pageUrl = `http://localhost:${(other.address() as AddressInfo).port}`;
  });
  after(() => other.close());

  /** Returns the statuses of the POST requests that the service received, and the number of users afterwards. */
  async function outcome(
    t: TestContext,
    attempt: SendAttempt,
    { api, log, service: { database } }: TestService,
  ) {
    const page = await (await openBrowser()).newPage();
    t.after(() => page.close());
    const before = log.length;
    await page.goto(pageUrl);
    await attempt(page, `${api.url}/api/v1/users`);
    const statuses = () =>
      log
        .slice(before)
        .filter(({ method }) => method === 'POST')
        .map(({ status }) => status);
    await until(() => statuses().length > 0, 'the service has received the request');
    return [...statuses(), (await database.get(COUNT))!.count];
  }

  for (const [title, attempt] of Object.entries(ATTEMPTS)) {
    test(`a page of another site creates no user record by ${title}`, async (t) => {
      assert.deepEqual(await outcome(t, attempt, service), [403, 0]);
    });
  }

  test('a page of another site creates a user record by a script if its origin is listed', async (t) => {
    const listing = await startService('sqlite', { environment: { CORS_ORIGINS: pageUrl } });
    t.after(listing.stop);
    assert.deepEqual(await outcome(t, ATTEMPTS['a script without CORS']!, listing), [201, 1]);
  });
});
