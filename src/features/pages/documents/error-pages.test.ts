import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import { rawRequest, sendRawOnce } from '../../../../test/support/raw-http.ts';
import { routes } from '../../../../test/support/routes.ts';
import { useService } from '../../../../test/support/service.ts';
import { LIMIT_NAMES } from '../../../rate-limits/limits.ts';
import { readManifest } from '../assets/assets.ts';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HTML = 'text/html; charset=utf-8';
const ONE_EACH = LIMIT_NAMES.map((name) => [`RATE_LIMIT_${name.toUpperCase().replace('-', '_')}`, '1/3600']);

describe('errors of pages', () => {
  const service = useService('sqlite', limited(Object.fromEntries(ONE_EACH)));
  // All but operations, which are described or the same with another method, and the endpoint of the console's scripts.
  const opened = routes.filter(
    ({ path, limits, schema }) =>
      schema?.hide && limits !== 'none' && !['/console/session', '/oauth/userinfo'].includes(path),
  );

  test('a used-up limit is explained by a page on every path that browsers open', async () => {
    assert.ok(opened.length > 80);
    for (const { method, path } of opened) {
      const request = fromIp(newClientIp(), {
        headers: { accept: ACCEPT, ...(method === 'POST' ? { 'content-type': 'x/x' } : {}) },
      });
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      await service.api.request(method, url, request);
      const { status, headers, text } = await service.api.request(method, url, request);
      assert.deepEqual([status, headers.get('content-type')], [429, HTML], `${method} ${path}`);
      assert.match(text, /<h[12]>Too many attempts<\/h[12]>/, path);
      assert.match(text, /Try again in 1 hour\./, path);
      assert.ok(headers.has('retry-after'), path);
    }
  });

  test('the files of pages are not counted', async () => {
    const request = fromIp(newClientIp());
    const { entries } = readManifest();
    const files = [...entries.console!.scripts, ...entries.style!.fonts].map((file) => `/assets/${file}`);
    for (const file of [...files, '/embed.js', '/docs/images/users-light.webp'])
      assert.equal((await service.api.get(file, request)).status, 200, file);
    assert.equal((await service.api.get('/console', request)).status, 200);
  });

  test('a malformed path is explained to browsers by a page, which does not advise to try it later, and to programs by JSON', async () => {
    const send = (accept: string) =>
      sendRawOnce(service.api.url, rawRequest('GET', '/docs/%zz', [`Accept: ${accept}`]));
    const [shown, sent] = [await send(ACCEPT), await send('*/*')];
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [400, HTML]);
    assert.match(shown.text, /<h1>The request could not be processed<\/h1>/);
    assert.doesNotMatch(shown.text, /Try again later/);
    assert.equal(JSON.parse(sent.text).code, 'invalid_path');
  });
});
