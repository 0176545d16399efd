import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyUrl } from '../../../test/support/arbitrary-text.ts';
import { getErrorForm } from '../../../test/support/error-forms.ts';
import { fromIp, limited, newClientIp } from '../../../test/support/limits.ts';
import { routes } from '../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { isCrossSite } from '../cors.ts';

const LISTED = 'https://app.example.com';
const ORIGINS = ['https://evil.example', 'null', `${LISTED}.evil.example`, undefined];
const unsafe = routes.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS');

/** Routes that pages of other sites may call, or that compare the origin themselves. */
const OPEN = {
  'POST /f/{id}': 'forms are embedded in other sites',
  'POST /oauth/authorize': 'a form of an application, without cookies: it continues by GET',
  'POST /oauth/device_authorization':
    'needs the client authentication of the application in place of cookies',
  'POST /oauth/end-session': 'a form of an application: it continues by GET, unless it is the own form',
  'POST /oauth/introspect': 'needs the secret of the application in place of cookies',
  'POST /oauth/revoke': 'needs a token of the application in place of cookies',
  'POST /oauth/token': 'needs a code of the application in place of cookies',
  'POST /oauth/userinfo': 'needs a token in place of cookies',
  'POST /sign-in/callback/{id}': 'a form of an identity provider, without cookies: it continues by GET',
};

/** One route of each method and access, with a page and without: the rule is the same for all. */
const writing = Map.groupBy(
  unsafe.filter(({ checksOrigin }) => !checksOrigin),
  ({ method, access, path }) => `${method} ${access} ${getErrorForm(path)}`,
)
  .values()
  .map(([first]) => first!);
const TABLES = ['users', 'tokens', 'idempotency_keys'];

const fromSite = (site: string | undefined, origin?: string) => ({
  ...(site === undefined ? {} : { 'sec-fetch-site': site }),
  ...(origin === undefined ? {} : { origin }),
});

describeOnSqlite('requests of pages of other sites', (engine) => {
  const service = useService(engine, limited({ CORS_ORIGINS: LISTED, RATE_LIMIT_CREATE: '5/36000' }));
  const createBody = (path: string) => (path.endsWith('validate') ? { fields: [] } : newUserData());

  async function rows(): Promise<number[]> {
    const { database } = service;
    return Promise.all(
      TABLES.map(
        async (table) => (await database.get(sql<{ n: number }>(`select count(*) as n from ${table}`)))!.n,
      ),
    );
  }

  test('requests of other sites are rejected by all unsafe routes but the listed ones', () => {
    const open = unsafe.filter(({ checksOrigin }) => checksOrigin);
    const names = open.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(names.sort(), Object.keys(OPEN).sort());
  });

  for (const { method, path } of writing) {
    test(`requests of other sites are rejected by ${method} ${path} with 403 before authentication, without a write`, async () => {
      const { id, token } = await insertLoggedInUser(service.database);
      const before = await rows();
      const url = path.replace('{id}', id);
      for (const origin of ORIGINS) {
        for (const sent of [undefined, token, ADMIN_TOKEN, 'wrong']) {
          const request = {
            ...(method === 'DELETE' ? {} : { body: createBody(path) }),
            ...(sent === undefined ? {} : { token: sent }),
            headers: { ...fromSite('cross-site', origin), 'idempotency-key': 'key', 'if-match': '"1"' },
          };
          const { status, body } = await service.api.request(method, url, fromIp(newClientIp(), request));
          assert.equal(status, 403, `${origin} ${sent}`);
          // Pages say it in words.
          if (getErrorForm(path) === 'api') assert.equal(body.code, 'cross_site_request');
        }
      }
      assert.deepEqual(await rows(), before);
    });
  }

  test('requests of other sites are counted under the limits of their network, which reject them with 429 first', async () => {
    const client = fromIp(newClientIp(), { headers: fromSite('cross-site', 'null') });
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent++)
      statuses.push((await service.api.post('/api/v1/users', {}, client)).status);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
  });

  for (const [title, headers] of [
    ['without Sec-Fetch-Site, as other programs send them', fromSite(undefined, 'https://evil.example')],
    ['of the same origin', fromSite('same-origin', 'https://desk.example')],
    ['of another subdomain of the same site', fromSite('same-site', 'https://other.example')],
    ['that the user started', fromSite('none')],
    ['of a listed origin on another site', fromSite('cross-site', LISTED)],
  ] as const) {
    test(`requests ${title} are accepted`, async () => {
      const { status } = await service.api.post('/api/v1/users', {}, fromIp(newClientIp(), { headers }));
      assert.equal(status, 201);
    });
  }
});

test('rejectCrossSite rejects exactly unsafe methods from another site with an origin that is not listed', () => {
  const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY');
  const site = fc.oneof(
    fc.constantFrom('cross-site', 'same-site', 'same-origin', 'none', undefined),
    fc.string(),
  );
  const origin = fc.oneof(anyUrl, fc.constantFrom(LISTED, 'null', '', undefined));
  fc.assert(
    fc.property(method, site, origin, fc.uniqueArray(anyUrl), (sent, from, by, others) => {
      const isRejected = !['GET', 'HEAD', 'OPTIONS'].includes(sent) && from === 'cross-site' && by !== LISTED;
      const listed = [...others.filter((other) => other !== by), LISTED];
      assert.equal(isCrossSite(sent, { 'sec-fetch-site': from, origin: by }, listed), isRejected);
    }),
  );
});
