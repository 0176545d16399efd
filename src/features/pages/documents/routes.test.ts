import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import { openService, useService, useSharedService } from '../../../../test/support/service.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const DOCUMENTS = globSync('*.md', { cwd: join(ROOT, 'docs') }).filter((name) => name !== 'index.md');
const PAGES = DOCUMENTS.map((name) => `/docs/${name.replace('.md', '')}`);
const CATALOG = '/.well-known/api-catalog';
const PUBLIC_URL = 'https://desk.example/base';

describe('document routes', () => {
  const service = useSharedService('sqlite');
  const get = (path: string, headers: Record<string, string> = {}) => service.api.get(path, { headers });

  for (const path of PAGES) {
    test(`document routes serve ${path} as an HTML page with a content security policy`, async () => {
      const { status, headers, text } = await get(path);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(headers.get('content-security-policy')!, /^default-src 'none'; .*frame-ancestors 'none'$/);
      assert.match(text, /^<!doctype html>/);
    });
  }

  test('document pages link style sheets and scripts that exist', async () => {
    const { text } = await get('/docs/problems');
    const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    assert.deepEqual(
      files.map((file) => file.replace(/-\w+\./, '.')),
      [
        '/assets/favicon.svg',
        '/assets/geist-latin-wght-normal.woff2',
        '/assets/style.css',
        '/assets/documents.css',
        '/assets/theme.js',
        '/assets/documents.js',
      ],
    );
    for (const file of files) assert.equal((await get(file)).status, 200, file);
  });

  test('document pages link the console only when there is one, and everything below the path of PUBLIC_URL', async (context) => {
    assert.match((await get('/docs/problems')).text, /<a href="\/console">Console<\/a>/);
    const other = await openService(context, 'sqlite', { environment: { CONSOLE: 'off', PUBLIC_URL } });
    const { text } = await other.api.get('/docs/problems');
    assert.doesNotMatch(text, /href="[^"]*\/console"/);
    const urls = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, url]) => url!);
    assert.ok(urls.length > 10);
    for (const url of urls) assert.ok(url.startsWith('/base/'), url);
  });

  test('document routes respond with 404 to files that are not documents', async () => {
    for (const path of ['/docs/index', '/docs/decisions', '/docs/..%2fpackage.json'])
      assert.equal((await get(path)).status, 404, path);
  });

  for (const path of ['/openapi.json', CATALOG, '/docs/problems']) {
    test(`document routes let clients and proxies cache ${path} for five minutes and revalidate it by its ETag`, async () => {
      const { headers } = await get(path);
      const etag = headers.get('etag')!;
      assert.equal(headers.get('cache-control'), 'public, max-age=300');
      for (const ifNoneMatch of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const sent = { headers: { 'if-none-match': ifNoneMatch } };
          const { status, text, headers: received } = await service.api.request(method, path, sent);
          assert.deepEqual([status, text, received.get('etag')], [304, '', etag], ifNoneMatch);
        }
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    });
  }
});

describe('the limit of documents', () => {
  const service = useService(
    'sqlite',
    limited({ RATE_LIMIT_DOCUMENTS: '5/3600', RATE_LIMIT_ANON: '1/3600' }),
  );

  test('the limit of documents counts every path, HEAD and 304 of one network, but no health checks', async () => {
    const address = newClientIp();
    const etag = (await service.api.get('/openapi.json')).headers.get('etag')!;
    const requests = [
      ['GET', '/', {}],
      ['GET', '/openapi.json', { 'if-none-match': etag }],
      ['HEAD', '/docs/problems', {}],
      ['GET', CATALOG, { 'if-none-match': '*' }],
      ['GET', '/docs/security', {}],
      ['GET', '/docs', {}],
      ['GET', '/docs', { 'if-none-match': '*' }],
    ] as const;
    // Responses that shared caches may keep do not say how many requests are left.
    const seen: number[] = [];
    for (const [method, path, headers] of requests)
      seen.push((await service.api.request(method, path, fromIp(address, { headers }))).status);
    assert.deepEqual(seen, [200, 304, 200, 304, 200, 429, 429]);
    for (const path of ['/livez', '/api/v1/users'])
      assert.equal((await service.api.get(path, fromIp(address))).status, 200);
    assert.equal((await service.api.get('/docs', fromIp(newClientIp()))).status, 200);
  });
});

describe(`GET ${CATALOG}`, () => {
  const service = useSharedService('sqlite');
  type Linkset = { linkset: Record<string, string | { href: string; type: string }[]>[] };
  const getLinks = (text: string) => (JSON.parse(text) as Linkset).linkset.flatMap(Object.values).flat();

  test(`GET ${CATALOG} returns a linkset of RFC 9727 that links to itself in the Link header`, async () => {
    const { status, headers, text } = await service.api.get(CATALOG);
    assert.equal(status, 200);
    assert.match(
      headers.get('content-type')!,
      /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org/,
    );
    assert.equal(headers.get('link'), `<${CATALOG}>; rel="api-catalog"`);
    const [context] = (JSON.parse(text) as Linkset).linkset;
    assert.deepEqual(Object.keys(context!), [
      'anchor',
      'service-desc',
      'service-doc',
      'service-meta',
      'status',
    ]);
  });

  test(`GET ${CATALOG} returns links that respond with 200 and the media type of the link`, async () => {
    for (const link of getLinks((await service.api.get(CATALOG)).text)) {
      if (typeof link === 'string') continue;
      const { status, headers } = await service.api.get(link.href);
      assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [200, link.type], link.href);
    }
  });

  test(`GET ${CATALOG} returns links that begin with PUBLIC_URL when it is set`, async (context) => {
    const other = await openService(context, 'sqlite', { environment: { PUBLIC_URL } });
    const { headers, text } = await other.api.get(CATALOG);
    assert.equal(headers.get('link'), `<${PUBLIC_URL}${CATALOG}>; rel="api-catalog"`);
    for (const link of getLinks(text))
      assert.ok((typeof link === 'string' ? link : link.href).startsWith(`${PUBLIC_URL}/`));
  });
});
