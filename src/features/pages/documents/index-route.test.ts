import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openService, useSharedService } from '../../../../test/support/service.ts';

/** The Accept header of a navigation in Firefox and Chromium, without image formats. */
const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PUBLIC_URL = 'https://desk.example/base';

describe('GET /', () => {
  const service = useSharedService('sqlite');
  const getIndex = (headers: Record<string, string> = {}, method = 'GET') =>
    service.api.request(method, '/', { headers });

  test('GET / returns the HTML page with its content security policy to a browser', async () => {
    const { status, headers, text } = await getIndex({ accept: BROWSER_ACCEPT });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
    assert.match(text, /^<!doctype html>/);
    assert.match(text, /<h1[^>]*>Frontdesk<\/h1>/);
  });

  for (const accept of [
    '*/*',
    '',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, */*',
  ]) {
    test(`GET / returns the JSON index with Accept: ${accept || '(empty)'}`, async () => {
      const { status, headers, body } = await getIndex({ accept });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(Object.keys(body), ['name', 'version', 'links']);
      assert.equal(body.name, 'Frontdesk');
    });
  }

  test('GET / returns relative JSON links that all respond with 200', async () => {
    const links: [string, string][] = Object.entries((await getIndex()).body.links);
    assert.deepEqual(
      links.map(([name]) => name),
      ['console', 'reference', 'description', 'catalog', 'problems', 'readiness', 'liveness'],
    );
    for (const [name, link] of links) assert.equal((await service.api.get(link)).status, 200, name);
  });

  test('GET / returns a page whose links all respond with 200', async () => {
    const { text } = await getIndex({ accept: BROWSER_ACCEPT });
    const urls = new Set([...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, url]) => url!));
    assert.ok(urls.size > 10, [...urls].join());
    for (const url of urls)
      assert.equal((await service.api.get(url, { headers: { accept: BROWSER_ACCEPT } })).status, 200, url);
  });

  test('GET / returns JSON links that begin with PUBLIC_URL when it is set', async (context) => {
    const other = await openService(context, 'sqlite', { environment: { PUBLIC_URL } });
    const { links } = (await other.api.get('/')).body;
    for (const [name, link] of Object.entries<string>((await getIndex()).body.links))
      assert.equal(links[name], PUBLIC_URL + link);
  });

  test('GET / links to no console when there is none', async (context) => {
    const other = await openService(context, 'sqlite', { environment: { CONSOLE: 'off' } });
    assert.equal((await other.api.get('/')).body.links.console, undefined);
    assert.equal((await other.api.get('/console')).status, 404);
    assert.equal((await other.api.get('/console/session')).status, 404);
  });

  for (const [form, accept] of [
    ['the JSON index', 'application/json'],
    ['the HTML page', BROWSER_ACCEPT],
  ] as const) {
    test(`GET / sends Vary with ${form} and with its 304, for shared caches`, async () => {
      const { headers } = await getIndex({ accept });
      assert.equal(headers.get('vary'), 'Accept, accept-encoding');
      const notModified = await getIndex({ accept, 'if-none-match': headers.get('etag')! });
      assert.deepEqual([notModified.status, notModified.text], [304, '']);
      assert.equal(notModified.headers.get('vary'), 'Accept, accept-encoding');
    });
  }

  test('GET / returns different ETags for the JSON index and the HTML page, and 200 for that of the other one', async () => {
    const page = (await getIndex({ accept: BROWSER_ACCEPT })).headers.get('etag')!;
    const index = (await getIndex()).headers.get('etag')!;
    assert.notEqual(page, index);
    assert.equal((await getIndex({ 'if-none-match': page })).status, 200);
    assert.equal((await getIndex({ accept: BROWSER_ACCEPT, 'if-none-match': index })).status, 200);
  });
});
