import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openService, useSharedService } from '../../../../test/support/service.ts';
import { readManifest } from '../assets/assets.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; connect-src 'self'";
const PAGES = [
  '/docs',
  '/console',
  '/console/users',
  '/console/users/some-id',
  '/console/forms',
  '/console/settings',
];

describe('the console and the reference', () => {
  const service = useSharedService('sqlite');
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.service.url + path, { headers });

  for (const path of PAGES) {
    test(`the console and the reference serve ${path} with a strict content security policy, and 304 if unchanged`, async () => {
      const page = await get(path);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(page.headers.get('content-security-policy'), POLICY);
      assert.equal(page.headers.get('referrer-policy'), 'same-origin');
      assert.equal(page.headers.get('cache-control'), 'no-cache');
      const again = await get(path, { 'if-none-match': page.headers.get('etag')! });
      assert.equal(again.status, 304);
      assert.equal(again.headers.get('content-security-policy'), POLICY);
    });
  }

  test('the console and the reference link existing scripts and style sheets, and nothing of another origin', async () => {
    for (const path of ['/docs', '/console']) {
      const html = await (await get(path)).text();
      const urls = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
      const files = urls.filter((url) => !url.startsWith('data:') && url !== '/openapi.json');
      assert.ok(files.length >= 4);
      for (const file of files) {
        assert.match(file, /^\/assets\/[\w-]+\.(?:js|css|svg|woff2)$/);
        assert.equal((await get(file)).status, 200);
      }
    }
  });

  test('the console and the reference load their font before the style sheet names it, cached for a year and never compressed again', async () => {
    for (const path of ['/docs', '/console', '/docs/problems', '/sign-in']) {
      const html = await (await get(path)).text();
      const [, font] = /<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin>/.exec(
        html,
      )!;
      assert.ok(html.indexOf(font!) < html.indexOf('rel="stylesheet"'), path);
      const { headers } = await get(font!, { 'accept-encoding': 'br' });
      assert.equal(headers.get('content-type'), 'font/woff2');
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('content-encoding'), null);
    }
  });

  test('the page of the form check of earlier releases leads to the page of forms, with its fields', async () => {
    const response = await fetch(`${service.service.url}/console/form-check?fields=%5B%5D`, {
      redirect: 'manual',
    });
    assert.equal(response.status, 301);
    assert.equal(response.headers.get('location'), '/console/forms?view=check&fields=%5B%5D');
  });

  test('the console and the reference link below the path of PUBLIC_URL', async (context) => {
    const environment = { PUBLIC_URL: 'https://example.com/accounts' };
    const proxied = await openService(context, 'sqlite', { environment });
    const html = await (await fetch(`${proxied.service.url}/console`)).text();
    assert.match(html, /<html lang="en" data-base="\/accounts" data-console data-sign-in>/);
    assert.match(html, /<script type="module" src="\/accounts\/assets\/console-/);
  });

  test('bundles of the console and the reference are sent compressed, and cached for a year', async () => {
    const file = readManifest().entries.console!.scripts[0]!;
    const plain = await get(`/assets/${file}`, { 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(plain.headers.get('x-content-type-options'), 'nosniff');
    assert.match(plain.headers.get('vary')!, /accept-encoding/i);
    assert.equal(plain.headers.get('content-encoding'), null);
    for (const encoding of ['br', 'gzip']) {
      const compressed = await get(`/assets/${file}`, { 'accept-encoding': encoding });
      assert.equal(compressed.headers.get('content-encoding'), encoding);
      assert.ok(
        Number(compressed.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 2,
      );
    }
  });

  const CONDITIONS: [headers: Record<string, string>, status: number][] = [
    [{ range: 'bytes=0-9' }, 200],
    [{ range: 'bytes=5-2' }, 200],
    [{ range: 'bytes=999999999-' }, 200],
    [{ 'if-match': '"another"' }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
  ];
  for (const [headers, status] of CONDITIONS)
    test(`files of the pages respond with ${status} to ${JSON.stringify(headers)}`, async () => {
      const [script] = readManifest().entries.console!.scripts;
      for (const path of [`/assets/${script}`, '/embed.js', '/docs/images/users-light.webp'])
        assert.equal((await get(path, headers)).status, status);
    });

  test('the console and the reference respond with 404 for every other file, also outside the bundles', async () => {
    for (const file of [
      'none.js',
      'manifest.json',
      '..%2fpackage.json',
      '%2e%2e%2fmanifest.json',
      'console.js.br',
    ]) {
      const response = await get(`/assets/${file}`);
      assert.equal(response.status, 404, file);
      assert.equal(((await response.json()) as { code: string }).code, 'not_found');
    }
  });
});
