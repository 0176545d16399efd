import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { type Deprecation, getDeprecationHeaders } from './deprecation.ts';

const DEPRECATED_AT = Date.UTC(2027, 0, 1);
const SUNSET_AT = Date.UTC(2029, 0, 1);
const publicUrl = 'https://accounts.example.com';
const LIFECYCLE = `<${publicUrl}/docs/lifecycle>; rel="deprecation"; type="text/html"`;
const LINK = `${LIFECYCLE}, <${publicUrl}/api/v2/things>; rel="successor-version"`;

const thingsSchema = {
  type: 'object',
  required: ['things'],
  properties: { things: { type: 'string' } },
} as const;

const deprecation = { deprecatedAt: DEPRECATED_AT, sunsetAt: SUNSET_AT, successor: '/api/v2/things' };
const things = (app: FastifyInstance) => {
  const add = (path: string, deprecation?: Deprecation, access: 'public' | 'user' = 'public') => {
    const description = 'Things.';
    const schema = { operationId: path, response: { 200: { ...thingsSchema, description } } };
    const config = deprecation === undefined ? { access } : { access, deprecation };
    app.get(path, { schema, config }, async (_request, reply) =>
      reply.header('link', '</next>; rel="next"').send({ things: 'all' }),
    );
  };
  add('/api/v1/things', deprecation);
  add('/api/v1/own-things', deprecation, 'user');
  add('/api/v1/old-things', { deprecatedAt: DEPRECATED_AT + 999 });
  add('/api/v2/things');
};

describe('deprecated operations', () => {
  const clock = manualClock(SUNSET_AT - 1);
  let server: BareServer;
  before(async () => {
    server = await startBareServer({ publicUrl, clock }, things);
  });
  after(() => server.app.close());
  const get = (path: string, fields?: string[]) => sendRawOnce(server.url, rawRequest('GET', path, fields));

  test('a deprecated operation sends Deprecation, Sunset and links to policy and successor (RFC 9745, RFC 8594)', async () => {
    const { status, headers, fields } = await get('/api/v1/things');
    assert.equal(status, 200);
    assert.equal(headers.get('deprecation'), '@1798761600');
    assert.equal(headers.get('sunset'), 'Mon, 01 Jan 2029 00:00:00 GMT');
    const links = fields.filter(([name]) => name.toLowerCase() === 'link').map(([, value]) => value);
    assert.deepEqual(links.sort(), ['</next>; rel="next"', LINK].sort());
  });

  test('a deprecated operation sends its headers also in error responses', async () => {
    const { status, headers } = await get('/api/v1/own-things');
    assert.equal(status, 401);
    assert.equal(headers.get('deprecation'), '@1798761600');
    assert.equal(headers.get('sunset'), 'Mon, 01 Jan 2029 00:00:00 GMT');
    assert.equal(headers.get('link'), LINK);
  });

  test('a deprecated operation sends Deprecation in whole seconds, without Sunset and successor if there are none', async () => {
    const { headers } = await get('/api/v1/old-things');
    assert.equal(headers.get('deprecation'), '@1798761600');
    assert.equal(headers.get('sunset'), null);
    assert.equal(headers.get('link'), `${LIFECYCLE}, </next>; rel="next"`);
  });

  test('the successor of a deprecated operation sends no deprecation headers', async () => {
    const { headers } = await get('/api/v2/things');
    assert.deepEqual([headers.get('deprecation'), headers.get('sunset')], [null, null]);
  });

  test('a deprecated operation responds with 410 and its headers to all callers from the sunset on', async () => {
    clock.now = SUNSET_AT;
    for (const path of ['/api/v1/things', '/api/v1/own-things']) {
      const { status, headers, text } = await get(path);
      assert.equal(status, 410);
      assert.deepEqual(JSON.parse(text), { error: 'This API version has been retired', code: 'gone' });
      assert.equal(headers.get('deprecation'), '@1798761600');
      assert.equal(headers.get('sunset'), 'Mon, 01 Jan 2029 00:00:00 GMT');
      assert.equal(headers.get('link'), LINK);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    assert.equal((await get('/api/v1/old-things')).status, 200);
    assert.equal((await get('/api/v2/things')).status, 200);
  });

  test('deprecated operations and their 410 are marked in the OpenAPI document', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the document is read without its type
    const { paths, components } = server.app.swagger() as any;
    for (const path of ['/api/v1/things', '/api/v1/own-things', '/api/v1/old-things']) {
      assert.equal(paths[path].get.deprecated, true);
      assert.equal(paths[path].get.responses[410].$ref, '#/components/responses/Gone');
    }
    const { examples } = components.responses.Gone.content['application/json'];
    assert.equal(examples.gone.value.code, 'gone');
    const { deprecated, responses } = paths['/api/v2/things'].get;
    assert.deepEqual([deprecated, responses[410]], [undefined, undefined]);
  });

  test('a deprecated operation links to policy and successor by relative URLs without a public URL', () => {
    assert.match(getDeprecationHeaders(deprecation, '').link, /^<\/docs\/lifecycle>.*<\/api\/v2\/things>/);
  });
});
