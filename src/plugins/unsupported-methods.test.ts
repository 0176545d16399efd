import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BareServer, startBareServer } from '../../test/support/bare-server.ts';
import { getErrorForm } from '../../test/support/error-forms.ts';
import { rawRequest, sendRawOnce } from '../../test/support/raw-http.ts';
import { routes } from '../../test/support/routes.ts';
import { useSharedService } from '../../test/support/service.ts';

const paths = [...new Set(routes.map(({ path }) => path))];

/** Requests for them issue a code, sign in or sign out: a program that only looks at a link must not do that. */
const WITHOUT_HEAD = ['/oauth/authorize', '/oauth/end-session', '/sign-in/callback/{id}'];

/** The methods of the path and the implied ones, for Allow (RFC 9110 section 10.2.1). */
function expectedAllow(path: string): string {
  const own = routes.filter((route) => route.path === path).map(({ method }) => method);
  const hasHead = own.includes('GET') && !WITHOUT_HEAD.includes(path);
  const methods = [...own, ...(hasHead ? ['HEAD'] : []), 'OPTIONS'];
  return [...new Set(methods)].sort().join(', ');
}

function assertMethodNotAllowed(body: Record<string, unknown>, form: 'api' | 'oauth'): void {
  if (form === 'oauth') {
    assert.deepEqual(Object.keys(body), ['error', 'error_description']);
    assert.equal(body.error, 'invalid_request');
    return;
  }
  assert.deepEqual(Object.keys(body), ['statusCode', 'code', 'error', 'message']);
  assert.deepEqual([body.statusCode, body.code], [405, 'method_not_allowed']);
}

describe('unsupported methods', () => {
  const service = useSharedService('sqlite');
  const send = (method: string, path: string, fields?: string[], body?: string) =>
    sendRawOnce(service.api.url, rawRequest(method, path, fields, body));

  for (const path of paths) {
    const form = getErrorForm(path);
    const url = path.replace(/\{\w+\}/g, 'some-id');
    test(`${path} rejects unsupported methods with 405 and responds to OPTIONS with 204, both with Allow`, async () => {
      const allowed = expectedAllow(path).split(', ');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].filter(
        (each) => !allowed.includes(each),
      )) {
        const { status, headers, text } = await send(
          method,
          url,
          form === 'page' ? ['Accept: text/html'] : [],
        );
        assert.equal(status, 405, method);
        assert.equal(headers.get('allow'), expectedAllow(path));
        if (form === 'page') assert.match(text, /^<!doctype html>/);
        else assertMethodNotAllowed(JSON.parse(text), form);
      }
      const options = await send('OPTIONS', url);
      assert.equal(options.status, 204);
      assert.equal(options.headers.get('allow'), expectedAllow(path));
      assert.equal(options.text, '');
    });
  }

  for (const method of ['PROPFIND', 'QUERY', 'M-SEARCH', 'PURGE', 'LINK']) {
    test(`${method}, which no path supports, is rejected with 404`, async () => {
      assert.equal((await send(method, '/api/v1/users')).status, 404);
      assert.equal((await send(method, '/api/v1/nothing')).status, 404);
    });
  }

  const spellings = [
    '//api///v1//users//',
    '/api/v1/users?a=/b',
    '/api/v1/%75sers',
    'http://localhost/api/v1/users',
  ];
  for (const spelling of spellings) {
    test(`${spelling} is routed as /api/v1/users for every method`, async () => {
      assert.equal((await send('GET', spelling)).status, 200);
      const rejected = await send('PUT', spelling);
      assert.equal(rejected.status, 405);
      assert.equal(rejected.headers.get('allow'), expectedAllow('/api/v1/users'));
    });
  }

  for (const path of [
    '/api/v1/users;a=b',
    '/API/v1/users',
    '/api/v1',
    '/api/v1/users/a/b',
    '/api/v1/users/a;b/c',
  ]) {
    test(`all methods on the unknown path ${path} are rejected with 404`, async () => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { status, headers } = await send(method, path);
        assert.equal(status, 404, method);
        assert.equal(headers.get('allow'), null);
      }
    });
  }
});

describe('routes', () => {
  const config = { access: 'public' } as const;
  const text = { type: 'string' } as const;
  const address = { type: 'object', properties: { city: text } } as const;
  const personSchema = { type: 'object', properties: { name: text, address } } as const;
  const secrets = { password_hash: '$argon2id', toString: 'x' };
  const register = (app: FastifyInstance) => {
    const echo = async ({ params, query }: FastifyRequest) => ({ params, query });
    app.get('/a/:id', { config }, echo);
    app.delete('/a/:id', { config }, echo);
    app.post('/b.c', { config }, echo);
    app.get('/person', { config, schema: { response: { 200: personSchema } } }, async () => ({
      name: 'Ada',
      ...secrets,
      address: { city: 'London', ...secrets },
    }));
  };
  let server: BareServer;
  before(async () => {
    server = await startBareServer({}, register);
  });
  after(() => server.app.close());
  const send = (method: string, url: string) => sendRawOnce(server.url, rawRequest(method, url));

  test('a path parameter matches one whole segment, and a dot only itself', async () => {
    for (const url of ['/a', '/a/', '/a/1/2', '/bxc', '/b.c/d']) {
      assert.equal((await send('GET', url)).status, 404, url);
    }
  });

  test('a handler gets decoded parameters and query, and a repeated query parameter as a list', async () => {
    const { text } = await send('GET', '//a/%C3%A9%2F%25/?x=1&y=%20&x=2');
    const { params, query } = JSON.parse(text);
    assert.deepEqual([params, query], [{ id: 'é/%' }, { x: ['1', '2'], y: ' ' }]);
  });

  test('a path that cannot be decoded is rejected with 400, and a target that is not a path with 404', async () => {
    for (const url of ['/a/%ff', '/a/%'])
      for (const method of ['GET', 'PUT', 'TRACE', 'OPTIONS'])
        assert.equal(JSON.parse((await send(method, url)).text).code, 'invalid_path', `${method} ${url}`);
    for (const url of ['*', 'ftp://host/a/1']) assert.equal((await send('GET', url)).status, 404, url);
  });

  test('a response loses members that its schema does not name, also in nested objects', async () => {
    const { text } = await send('GET', '/person');
    assert.deepEqual(JSON.parse(text), { name: 'Ada', address: { city: 'London' } });
  });
});
