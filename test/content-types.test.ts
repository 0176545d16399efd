/** The media types of GET routes that are not described in openapi.json. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readManifest } from '../src/features/pages/assets/assets.ts';
import { signIn } from './support/applications.ts';
import { routes } from './support/routes.ts';
import { useSharedService } from './support/service.ts';

const { scripts, styles } = readManifest().entries.console!;
/** As long as the token of a link. */
const UNKNOWN = 'a'.repeat(43);

/** Media types of the routes that do not send HTML. */
const TYPES: Readonly<Record<string, string>> = {
  '/account/export': 'application/json; charset=utf-8',
  '/brand.css': 'text/css; charset=utf-8',
  '/embed.js': 'application/javascript; charset=utf-8',
  '/openapi.json': 'application/json; charset=utf-8',
  '/.well-known/oauth-authorization-server': 'application/json; charset=utf-8',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
};

const QUERIES: Readonly<Record<string, string>> = { '/brand.css': '?color=0b7a53' };

/** Pages that respond with a redirect unless a person is signed in, or where there are no passkeys. */
const REDIRECTS = ['/console/form-check', '/.well-known/change-password', '/account/passkeys/new'];
/** Pages of what a session is shown for some minutes: without it, they redirect. */
const SHOWN_ONCE = '/account/two-step';
const OF_PERSON = ['/account', '/account/export', '/device/confirm'];
/** Pages in the middle of a sign-in: without its beginning, they say so. */
/** Pages that the default settings have closed. */
const CLOSED = ['/sign-in/code'];
const STEPS = ['/oauth/authorize', '/sign-in/identity', '/device/confirm'];

function getStatus(path: string): number {
  if (STEPS.includes(path)) return 400;
  if (CLOSED.includes(path)) return 403;
  // The pages of the console are the same for every id.
  return path.includes('{') && !path.startsWith('/console/') ? 404 : 200;
}

function getMediaType(path: string): string {
  return TYPES[path] ?? 'text/html; charset=utf-8';
}

describe('a GET route outside the API', () => {
  const service = useSharedService('sqlite');
  const paths = routes
    .filter(({ method, schema, access }) => method === 'GET' && schema.hide && access === 'public')
    .map(({ path }) => path)
    // The files, the logo that only some instances have, and redirects are requested by other tests.
    .filter((path) => !path.endsWith('/{file}') && path !== '/logo' && !REDIRECTS.includes(path))
    .filter((path) => !path.startsWith(SHOWN_ONCE));

  let cookie = '';
  before(async () => {
    ({ cookie } = (await signIn(service)).headers);
  });

  for (const path of paths) {
    test(`GET ${path} responds with exactly the media type ${getMediaType(path)}`, async () => {
      const accept = path === '/' ? 'text/html' : '*/*';
      const { status, headers } = await service.api.get(
        path.replace(/\{\w+\}/, UNKNOWN) + (QUERIES[path] ?? ''),
        {
          headers: { accept, ...(OF_PERSON.includes(path) && { cookie }) },
        },
      );
      assert.deepEqual([status, headers.get('content-type')], [getStatus(path), getMediaType(path)]);
    });
  }

  for (const [kind, file, type] of [
    ['script', `/assets/${scripts[0]}`, 'application/javascript; charset=utf-8'],
    ['style sheet', `/assets/${styles[0]}`, 'text/css; charset=utf-8'],
    ['picture', '/docs/images/users-dark.webp', 'image/webp'],
  ]) {
    test(`a file is sent with exactly the media type ${type} to a request for a ${kind}`, async () => {
      const { status, headers } = await service.api.get(file!);
      assert.deepEqual([status, headers.get('content-type')], [200, type]);
    });
  }
});
