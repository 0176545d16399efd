import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../../test/support/browser/browser.ts';
import { createCookie, FROM_CONSOLE, SESSION_PATH } from '../../../test/support/browser/console-session.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from users');
const DASHBOARD = '/api/v1/admin/dashboard';
const HEADERS = { 'x-frontdesk-console': FROM_CONSOLE['x-frontdesk-console'] };

interface PageRequest {
  readonly method?: string;
  readonly mode?: 'cors' | 'no-cors';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request by a script of the page; returns its status, or 0 if the page must not see the response. */
function send(page: Page, url: string, options: PageRequest = {}): Promise<number> {
  const script = ([to, init]: [string, PageRequest]) =>
    fetch(to, { credentials: 'include', ...init }).then(
      ({ status }) => status,
      () => 0,
    );
  return page.evaluate(script, [url, options] as [string, PageRequest]);
}

describe('the session of the console in a browser', () => {
  const service = useService('sqlite');
  let other: Server;
  let context: BrowserContext;
  let page: Page;
  /** On the same host as the service, and another port: the same site. */
  let otherPage: Page;
  before(async () => {
    other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<body></body>'),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    context = await (await openBrowser()).newContext();
    page = await context.newPage();
    await page.goto(`${service.api.url}/docs`);
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    const body = JSON.stringify({ credential: ADMIN_TOKEN });
    assert.equal(await send(page, SESSION_PATH, { method: 'POST', headers, body }), 201);
    otherPage = await context.newPage();
    await otherPage.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  });
  after(async () => {
    await context.close();
    other.close();
  });

  /** Returns the statuses of requests to this route since the last call. */
  let seen = 0;
  const statuses = (route: string) => {
    const lines = service.log.slice(seen);
    seen = service.log.length;
    return lines
      .filter((line) => line.route === route && line.method !== 'OPTIONS')
      .map(({ status }) => status);
  };

  test('the console session lets pages of the service act as the administrator, over plain HTTP on the same machine', async () => {
    assert.equal(await send(page, DASHBOARD, { headers: HEADERS }), 200);
    assert.equal(await send(page, SESSION_PATH, { headers: HEADERS }), 200);
    assert.equal(await page.evaluate(() => document.cookie), '', 'scripts cannot read it');
  });

  test('the console cookie is sent for a page on another port, whose requests are rejected with 403 all the same', async () => {
    const cookies = await context.cookies(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    assert.deepEqual(pluck(cookies, 'name'), [(await createCookie(service, '')).slice(0, -1)]);
    statuses(DASHBOARD);
    await send(otherPage, service.api.url + DASHBOARD, { mode: 'no-cors' });
    assert.deepEqual(statuses(DASHBOARD), [403]);
    await send(otherPage, `${service.api.url}/api/v1/users`, { method: 'POST', mode: 'no-cors' });
    assert.deepEqual(statuses('/api/v1/users'), [403]);
    assert.equal((await service.database.get(COUNT))!.count, 0);
  });

  test('the console cookie is not sent with the console header from another port: the browser asks first', async () => {
    statuses(DASHBOARD);
    assert.equal(await send(otherPage, service.api.url + DASHBOARD, { headers: HEADERS }), 0);
    assert.deepEqual(statuses(DASHBOARD), []);
  });
});
