import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { getHeading } from '../../../test/support/browser/account-pages.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, openService, useService } from '../../../test/support/service.ts';
import { type Behaviour, type Issuer, KEY_ID, startIssuer } from '../../../test/support/upstream/issuer.ts';
import {
  addProvider,
  createBrowser,
  LOOPBACK_ALLOWED,
  type TestBrowser,
} from '../../../test/support/upstream/sign-in.ts';
import { prepareRun, prepareValue } from '../../database/prepare.ts';

const countSessions = prepareValue<number>('select count(*) as sessions from sign_in_sessions');
const deleteSessions = prepareRun('delete from sign_in_sessions');
const FAILED = 'The sign-in with Upstream has failed';
const CANNOT = 'This sign-in cannot be completed';
const HUGE = 'x'.repeat(300_000);
const toKey = (length: number) => Buffer.from('secret-of-the-client'.padEnd(length));

const withClaims = (changes: Record<string, unknown>): Behaviour => ({
  claims: (claims) => ({ ...claims, ...changes }),
});
const shifted = (seconds: number): Behaviour => ({
  claims: (claims) => ({ ...claims, iat: Number(claims.iat) + seconds }),
});

type Reply = NonNullable<Behaviour['replies']>[string];
const replying = (path: string, reply: Reply): Behaviour => ({ replies: { [path]: reply } });
const withMetadata = (changes: object): Behaviour => ({ metadata: (all) => ({ ...all, ...changes }) });
const signedBy = (key: Uint8Array | null, header: { alg: string; kid?: string }): Behaviour => ({
  idToken: (claims, { keys }) => new SignJWT(claims).setProtectedHeader(header).sign(key ?? keys.privateKey),
});
const DISCOVERY = '/.well-known/openid-configuration';

async function forgeClaims(claims: Record<string, unknown>, { keys }: Issuer): Promise<string> {
  const header = { alg: 'RS256', kid: KEY_ID };
  const signed = await new SignJWT(claims).setProtectedHeader(header).sign(keys.privateKey);
  const [head, , signature] = signed.split('.');
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
  return `${head}.${forged}.${signature}`;
}

/** Responses of the issuer by what is wrong with them, and what the page names. */
const RESPONSES: readonly (readonly [title: string, behaviour: Behaviour, detail: string])[] = [
  ['another issuer in the ID token', withClaims({ iss: 'https://evil.example' }), 'iss'],
  ['another audience', withClaims({ aud: 'another-client' }), 'aud'],
  ['several audiences without azp', withClaims({ aud: ['frontdesk', 'another-client'] }), 'aud'],
  ['the azp of another of its audiences', withClaims({ aud: ['frontdesk', 'b'], azp: 'b' }), 'azp'],
  ['one audience and the azp of another client', withClaims({ azp: 'another-client' }), 'azp'],
  ['another nonce', withClaims({ nonce: 'another-nonce' }), 'nonce'],
  ['no nonce', withClaims({ nonce: undefined }), 'nonce'],
  ['a time of issue five minutes ahead', shifted(300), 'iat'],
  ['a time of issue five minutes ago', shifted(-300), 'iat'],
  ['an ID token that has expired', withClaims({ exp: Math.floor(Date.now() / 1000) - 120 }), 'exp'],
  ['no subject', withClaims({ sub: undefined }), 'sub'],
  ['an empty subject', withClaims({ sub: ' ' }), 'sub'],
  ['an ID token without a signature', { idToken: (claims) => new UnsecuredJWT(claims).encode() }, 'alg'],
  ['a signature by the client secret', signedBy(toKey(32), { alg: 'HS256' }), 'alg'],
  ['a signature by an unknown key', signedBy(null, { alg: 'RS256', kid: 'unknown' }), 'key'],
  ['claims that differ from the signed ones', { idToken: forgeClaims }, 'signature'],
  ['no ID token', replying('/token', { body: { access_token: 'a', token_type: 'Bearer' } }), 'id_token'],
  ['an error', replying('/token', { status: 400, body: { error: 'invalid_grant' } }), 'invalid_grant'],
  ['a text as error', replying('/token', { status: 400, body: { error: '<b>call</b>' } }), 'invalid_error'],
  ['a huge token response', replying('/token', { body: { access_token: HUGE } }), 'too_large'],
  ['a huge document of metadata', replying(DISCOVERY, { body: HUGE }), 'too_large'],
  ['huge keys', replying('/jwks', { body: { keys: [], x: HUGE } }), 'too_large'],
  ['a redirect', replying('/token', { status: 307, headers: { location: '/other' } }), 'redirect'],
  ['a connection that is closed', replying('/token', (response) => response.destroy()), 'reset'],
  [
    'a connection that is closed in the body',
    replying('/jwks', (response) => response.writeHead(200, { 'content-length': 9 }).end('{')),
    'invalid_response',
  ],
  ['no JSON', replying('/token', { body: '<html>' }), 'JSON'],
  ['metadata of another issuer', withMetadata({ issuer: 'https://evil.example' }), 'issuer'],
  ...['javascript:alert(1)', 'ftp://127.0.0.1/', 'not a URL', 7, undefined].map(
    (url): (typeof RESPONSES)[number] => [
      `metadata with the authorization_endpoint ${url}`,
      withMetadata({ authorization_endpoint: url }),
      'authorization_endpoint',
    ],
  ),
  [
    'keys at another address',
    withMetadata({ jwks_uri: 'http://169.254.169.254/keys' }),
    'address_not_allowed',
  ],
];

describeOnSqlite('hostile responses of an identity provider', (engine) => {
  const service = useService(engine, { environment: LOOPBACK_ALLOWED });
  let issuer: Issuer;
  let providerId: string;
  let browser: TestBrowser;
  const person = () => ({ sub: newUserData().email, email: newUserData().email, email_verified: true });
  const assertRefused = async (response: Awaited<ReturnType<TestBrowser['get']>>, heading: string) => {
    assert.equal(response.status, 400, response.headers.get('location') ?? response.text);
    assert.equal(getHeading(response), heading);
    assert.match(response.text, /href="\/sign-in"/, 'the page leads back only by a link');
    assert.equal(browser.hasSession(), false);
    assert.equal(await countSessions(service.database), 0);
  };
  const callback = (query: string, id = providerId) => browser.get(`/sign-in/callback/${id}?${query}`);

  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.close());
  beforeEach(async () => {
    issuer.behaviour = {};
    browser = createBrowser(service);
    const { api } = service;
    for (const { id } of (await api.get('/api/v1/identity-providers', admin)).body.data)
      await api.delete(`/api/v1/identity-providers/${id}`, admin);
    providerId = (await addProvider(service, issuer)).id;
  });

  for (const [title, behaviour, detail] of RESPONSES)
    test(`a response with ${title} starts no session, and the page names ${detail}`, async () => {
      const needsMetadata = behaviour.metadata !== undefined || title.includes('metadata');
      if (needsMetadata && detail !== 'address_not_allowed') {
        issuer.behaviour = behaviour;
        const response = await browser.get(`/sign-in/with/${providerId}`);
        assert.match(response.text, new RegExp(`\\(${detail}`));
        return assertRefused(response, FAILED);
      }
      if (needsMetadata) issuer.behaviour = behaviour;
      const query = issuer.authorize(await browser.begin(providerId), person());
      issuer.behaviour = behaviour;
      const response = await callback(query);
      assert.match(response.text, new RegExp(`\\([^)]*${detail}`), response.text);
      await assertRefused(response, FAILED);
    });

  test('a response that a mixed-up issuer has sent starts no session', async () => {
    const location = await browser.begin(providerId);
    const response = await callback(issuer.authorize(location, person(), { iss: 'https://evil.example' }));
    assert.match(response.text, /iss/);
    await assertRefused(response, FAILED);
  });

  test('a response without the issuer that the metadata announces starts no session', async () => {
    const query = new URLSearchParams(issuer.authorize(await browser.begin(providerId), person()));
    query.delete('iss');
    await assertRefused(await callback(query.toString()), FAILED);
  });

  test('the response of one provider at the callback of another starts no session, and stays usable', async () => {
    const other = await addProvider(service, issuer, { name: 'Other' });
    const query = issuer.authorize(await browser.begin(providerId), person());
    await assertRefused(await callback(query, other.id), CANNOT);
    assert.equal((await callback(query)).status, 303);
    browser.cookies.clear();
    await service.database.transaction((tx) => deleteSessions(tx));
  });

  test('a state of another browser starts no session, and stays usable in its own', async () => {
    const theirs = createBrowser(service);
    const query = issuer.authorize(await theirs.begin(providerId), person());
    await assertRefused(await callback(query), CANNOT);
    await browser.begin(providerId);
    await assertRefused(await callback(query), CANNOT);
  });

  test('an invented state, none, and one that was used already start no session', async () => {
    const query = new URLSearchParams(issuer.authorize(await browser.begin(providerId), person()));
    const state = query.get('state')!;
    query.set('state', 'invented');
    await assertRefused(await callback(query.toString()), CANNOT);
    query.delete('state');
    await assertRefused(await callback(query.toString()), CANNOT);
    query.set('state', state);
    query.set('code', 'invented');
    await assertRefused(await callback(query.toString()), FAILED);
    await assertRefused(await callback(query.toString()), CANNOT);
  });

  test('an ID token that is signed by HS512, as the metadata says, starts no session, and the page names HS512', async () => {
    issuer.behaviour = {
      ...withMetadata({ id_token_signing_alg_values_supported: ['HS512'] }),
      ...signedBy(toKey(64), { alg: 'HS512' }),
    };
    const response = await browser.signIn(issuer, providerId, person());
    assert.match(response.text, /\(alg HS512\)/);
    await assertRefused(response, FAILED);
  });

  /** By the detail of the event. Metadata that was read is kept for an hour. */
  const FAILURES: readonly (readonly [
    detail: string,
    fail: (browser: TestBrowser, id: string) => Promise<unknown>,
  ])[] = [
    ['request', (one, id) => one.get(`/sign-in/callback/${id}?code=a&state=b`)],
    [
      'invalid_response',
      (one, id) => {
        issuer.behaviour = replying(DISCOVERY, { status: 500 });
        return one.get(`/sign-in/with/${id}`);
      },
    ],
    [
      'aud',
      (one, id) => {
        issuer.behaviour = withClaims({ aud: 'another-client' });
        return one.signIn(issuer, id, person());
      },
    ],
    ['refuse_without_email', (one, id) => one.signIn(issuer, id, { sub: 'a' })],
    [
      'access_denied',
      async (one, id) => {
        const query = new URLSearchParams(issuer.authorize(await one.begin(id), person()));
        query.set('error', 'access_denied');
        query.delete('code');
        await one.get(`/sign-in/callback/${id}?${query}`);
      },
    ],
  ];
  test('a sign-in that fails is an event with the provider and what was wrong', async (context) => {
    // Only the first ones of an hour are recorded one by one, with details.
    const fresh = await openService(context, engine, { environment: LOOPBACK_ALLOWED });
    const { id } = await addProvider(fresh, issuer);
    for (const [index, [detail, fail]] of FAILURES.entries()) {
      issuer.behaviour = {};
      await fail(createBrowser(fresh), id);
      await numberAllEvents(fresh.service.database);
      const { body } = await fresh.api.get('/api/v1/events?type=login.failed', admin);
      const [{ reason, details, address }] = body.data;
      assert.deepEqual([reason, details], ['identity_provider', { provider: 'Upstream', detail }]);
      assert.equal(typeof address, 'string');
      assert.equal(body.data.length, index + 1, detail);
    }
  });

  for (const [title, location, isFollowed] of [
    ['within its origin', '/.well-known/openid-configuration/', true],
    ['to itself', '/.well-known/openid-configuration', false],
    ['to another origin', 'http://127.0.0.1:1/.well-known/openid-configuration/', false],
  ] as const)
    test(`metadata that redirects ${title} is ${isFollowed ? 'read' : 'not read'}, by sign-in and check`, async () => {
      const replies = { '/.well-known/openid-configuration': { status: 301, headers: { location } } };
      const metadata = (await (await fetch(`${issuer.url}${Object.keys(replies)[0]}`)).json()) as object;
      issuer.behaviour = {
        replies: { '/.well-known/openid-configuration/': { body: metadata }, ...replies },
      };
      const { body } = await service.api.post(
        `/api/v1/identity-providers/${providerId}/check`,
        undefined,
        admin,
      );
      assert.equal(body.data[0].status, isFollowed ? 'ok' : 'failed');
      const response = await browser.get(`/sign-in/with/${providerId}`);
      assert.equal(response.status, isFollowed ? 303 : 400);
    });

  const AUTHENTICATION: readonly (readonly [secret: string, methods: readonly string[], used: string])[] = [
    ['secret', ['client_secret_basic', 'client_secret_post'], 'basic'],
    ['s-cret%+/=', ['client_secret_basic', 'client_secret_post'], 'post'],
    ['s-cret%+/=', ['client_secret_basic'], 'basic'],
    ['s-cret%+/=', [], 'basic'],
    ['secret', ['client_secret_post'], 'post'],
  ];
  for (const [secret, methods, used] of AUTHENTICATION)
    test(`the secret ${secret} is sent by ${used} to a provider that names ${methods.join(', ') || 'no methods'}`, async () => {
      const supported = methods.length === 0 ? {} : { token_endpoint_auth_methods_supported: methods };
      const requests: string[] = [];
      issuer.behaviour = {
        metadata: (all) => ({ ...all, ...supported }),
        replies: {
          '/token': (response) => {
            requests.push(response.req.headers.authorization === undefined ? 'post' : 'basic');
            response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
          },
        },
      };
      const { id } = await addProvider(service, issuer, { name: 'Secret', client_secret: secret });
      await browser.signIn(issuer, id, person());
      assert.deepEqual(requests, [used]);
    });

  test('an email counts as verified if the operator trusts all of the provider', async () => {
    const trusted = await addProvider(service, issuer, { trust_email: true });
    const response = await browser.signIn(issuer, trusted.id, { ...person(), email_verified: undefined });
    assert.equal(response.headers.get('location'), '/account');
    await service.database.transaction((tx) => deleteSessions(tx));
  });

  test('a person without an email gets a page that says so', async () => {
    const response = await browser.signIn(issuer, providerId, { sub: 'without' });
    assert.equal(response.status, 400);
    assert.match(response.text, /has not named your email address/);
  });

  test('nobody gets an account while registration is closed', async (context) => {
    const closed = await openService(context, engine, {
      environment: { ...LOOPBACK_ALLOWED, REGISTRATION: 'closed' },
    });
    const { id } = await addProvider(closed, issuer);
    const response = await createBrowser(closed).signIn(issuer, id, person());
    assert.equal(response.status, 400);
    assert.match(response.text, /nobody can create one/);
  });

  test('an old code with a new state starts no session', async () => {
    const old = new URLSearchParams(issuer.authorize(await browser.begin(providerId), person()));
    const query = new URLSearchParams(issuer.authorize(await browser.begin(providerId), person()));
    query.set('code', old.get('code')!);
    await assertRefused(await callback(query.toString()), FAILED);
  });

  test('a person who cancels at the provider gets a page that says so', async () => {
    const query = new URLSearchParams(issuer.authorize(await browser.begin(providerId), person()));
    query.delete('code');
    query.set('error', 'access_denied');
    await assertRefused(await callback(query.toString()), 'You have not signed in');
  });

  for (const email_verified of ['true', 1, undefined, null, 'yes'])
    test(`an email with email_verified ${JSON.stringify(email_verified)} has to be confirmed, and starts no session`, async () => {
      const response = await browser.signIn(issuer, providerId, { ...person(), email_verified });
      assert.equal(response.headers.get('location'), '/sign-in/identity');
      assert.equal(getHeading(await browser.get('/sign-in/identity')), 'Check your email');
      assert.equal(await countSessions(service.database), 0);
    });
});
