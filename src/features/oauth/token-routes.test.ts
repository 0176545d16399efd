import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import {
  authorization,
  authorize,
  CHALLENGE,
  createApplication,
  exchange,
  postForm,
  REDIRECT_URI,
  signIn,
  VERIFIER,
} from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../test/support/service.ts';
import { listLiveTokens } from '../people/tokens/queries.ts';

describeOnEachEngine('token endpoint of applications', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock, environment: { RATE_LIMIT_LOGIN: 'off' } });

  /** Signs a new user in to a new application, and returns the code with both. */
  async function getCode(members: object = {}, changes: Record<string, string | undefined> = {}) {
    const application = await createApplication(service, members);
    const person = await signIn(service, { clock });
    const { result } = await authorize(service, authorization(application, changes), person.headers);
    assert.ok(result.code, JSON.stringify(result));
    return { application, code: result.code, ...person };
  }

  const isValid = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;

  test('a code is exchanged for a token with the name, scopes and lifetime of the application', async () => {
    const { application, code, user } = await getCode({
      token_lifetime_days: 2,
      scopes: ['self:read', 'tokens:manage'],
    });
    const { status, body, headers } = await exchange(service, application, { code });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.token_type, body.expires_in], ['Bearer', 2 * 86_400]);
    assert.equal(body.scope, 'self:read tokens:manage openid profile email');
    assert.equal(headers.get('cache-control'), 'no-store');
    const tokens = await service.api.get('/api/v1/tokens', { token: body.access_token });
    assert.match(tokens.body.data[0].name, /^Application/);
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.id, user.id);
  });

  test('a second use of a code is rejected and revokes the token of the first', async () => {
    const { application, code } = await getCode();
    const { access_token } = (await exchange(service, application, { code })).body;
    assert.ok(await isValid(access_token));
    const second = await exchange(service, application, { code });
    assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant']);
    assert.ok(!(await isValid(access_token)));
  });

  test('one of the concurrent uses of a code gets a token, which the others revoke', async () => {
    const { application, code, user } = await getCode();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => exchange(service, application, { code })),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(await listLiveTokens(service.database, user.id, clock.now), []);
  });

  const WRONG: [title: string, changes: Record<string, string | undefined>, error: string][] = [
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['the challenge as the verifier', { code_verifier: CHALLENGE }, 'invalid_grant'],
    ['a verifier of 42 characters', { code_verifier: 'v'.repeat(42) }, 'invalid_request'],
    ['a verifier of 129 characters', { code_verifier: 'v'.repeat(129) }, 'invalid_request'],
    ['a verifier with a space', { code_verifier: `${'v'.repeat(42)} ` }, 'invalid_request'],
    ['another redirect URI', { redirect_uri: 'https://app.example.com/other' }, 'invalid_grant'],
    ['an unknown code', { code: 'unknown' }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ];
  for (const [title, changes, error] of WRONG)
    test(`a code with ${title} is rejected with ${error} and stays valid`, async () => {
      const { application, code } = await getCode();
      const { status, body } = await exchange(service, application, { code, ...changes });
      assert.deepEqual([status, body.error], [400, error]);
      assert.equal((await exchange(service, application, { code })).status, 200);
    });

  test('a code of another application is rejected, and its token is not revoked by it', async () => {
    const { application, code } = await getCode();
    const other = await createApplication(service);
    assert.equal((await exchange(service, other, { code })).body.error, 'invalid_grant');
    const { access_token } = (await exchange(service, application, { code })).body;
    await exchange(service, other, { code });
    assert.ok(await isValid(access_token));
  });

  test('a code expires after 60 seconds', async () => {
    const { application, code } = await getCode();
    clock.now += 60_000;
    assert.equal((await exchange(service, application, { code })).body.error, 'invalid_grant');
  });

  test('a code is rejected after its person was disabled, or has signed out', async () => {
    const { application, code, user } = await getCode();
    const path = `/api/v1/users/${user.id}`;
    assert.equal((await service.api.patch(path, { state: 'disabled' }, editor)).status, 200);
    assert.equal((await exchange(service, application, { code })).body.error, 'invalid_grant');
  });

  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
  });
  const none = { client_id: undefined, client_secret: undefined };

  test('a web application is authenticated by client_secret_basic, and not without its secret', async () => {
    const { application, code } = await getCode();
    const { id, client_secret } = application;
    const members = { grant_type: 'authorization_code', redirect_uri: 'https://app.example.com/callback' };
    const form = { ...members, code, code_verifier: VERIFIER };
    const send = (headers: Record<string, string>, further = {}) =>
      postForm(service, '/oauth/token', { ...form, ...further }, headers);
    for (const [headers, further] of [
      [basic(id, 'wrong'), {}],
      [basic('unknown', client_secret!), {}],
      [{ authorization: 'Bearer x' }, {}],
      [{}, { client_id: id }],
      [{}, { client_id: id, client_secret: 'wrong' }],
      [{}, {}],
    ] as [Record<string, string>, object][]) {
      const { status, body, headers: received } = await send(headers, further);
      assert.deepEqual([status, body.error], [401, 'invalid_client']);
      assert.match(received.get('www-authenticate')!, /^Basic /);
    }
    const twice = await send(basic(id, client_secret!), { client_secret: client_secret! });
    assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
    assert.equal((await send(basic(id, client_secret!))).status, 200);
  });

  test('a replaced secret is accepted for the overlap', async () => {
    const { application, code } = await getCode();
    const path = `/api/v1/applications/${application.id}/rotate-secret`;
    const { body } = await service.api.post(path, { overlap: 60 }, admin);
    const second = { ...application, client_secret: body.data.client_secret };
    const fails = async (one: typeof second) => (await exchange(service, one, { code: 'x' })).body.error;
    assert.deepEqual([await fails(application), await fails(second)], ['invalid_grant', 'invalid_grant']);
    clock.now += 60_000;
    assert.deepEqual([await fails(application), await fails(second)], ['invalid_client', 'invalid_grant']);
    assert.ok(code);
  });

  test('an application revokes its own tokens only, and unknown ones get the same response', async () => {
    const { application, code } = await getCode();
    const other = await createApplication(service);
    const { access_token: token } = (await exchange(service, application, { code })).body;
    const revoke = ({ id, client_secret }: typeof application, text: string) =>
      postForm(service, '/oauth/revoke', { token: text, client_id: id, client_secret: client_secret! });
    assert.equal((await revoke(other, token)).status, 200);
    assert.ok(await isValid(token));
    assert.equal((await revoke(application, 'unknown')).status, 200);
    assert.equal((await revoke(application, token)).status, 200);
    assert.ok(!(await isValid(token)));
  });

  test('a web application introspects tokens in the form of RFC 7662', async () => {
    const { application, code, user } = await getCode();
    const { access_token: token } = (await exchange(service, application, { code })).body;
    const { id: client_id, client_secret } = application;
    const introspect = (text: string) =>
      postForm(service, '/oauth/introspect', { token: text, client_id, client_secret: client_secret! });
    const { status, body } = await introspect(token);
    assert.deepEqual([status, body.active, body.sub, body.client_id], [200, true, user.id, client_id]);
    assert.deepEqual((await introspect('unknown')).body, { active: false });
    const wrong = await postForm(service, '/oauth/introspect', { token, client_id, client_secret: 'x' });
    assert.equal(wrong.status, 401);
  });

  test('the token ends with the sign-in session, also after a rotation', async () => {
    const { application, code, headers } = await getCode({ scopes: ['self:read', 'tokens:manage'] });
    const { body } = await exchange(service, application, { code });
    const [{ id }] = (await service.api.get('/api/v1/tokens', { token: body.access_token })).body.data;
    const rotated = await service.api.post(`/api/v1/tokens/${id}/rotate`, {}, { token: body.access_token });
    assert.equal(rotated.status, 201, rotated.text);
    const query = new URLSearchParams({ id_token_hint: body.id_token });
    await service.api.get(`/oauth/end-session?${query}`, { headers });
    assert.ok(!(await isValid(rotated.body.data.access_token)));
  });

  if (engine === 'postgres') return;

  for (const id_token_alg of ['RS256', 'ES256'] as const)
    test(`the ID token has the registered claims and is signed by ${id_token_alg}`, async () => {
      const { application, code, user, session } = await getCode({ id_token_alg });
      const { body } = await exchange(service, application, { code });
      const jwks = createRemoteJWKSet(new URL(`${service.api.url}/.well-known/jwks.json`));
      const options = { issuer: service.api.url, audience: application.id, currentDate: new Date(clock.now) };
      const { payload } = await jwtVerify(body.id_token, jwks, options);
      assert.equal(decodeProtectedHeader(body.id_token).alg, id_token_alg);
      const { at_hash, ...claims } = payload;
      const iat = Math.floor(clock.now / 1000);
      assert.match(String(at_hash), /^[\w-]{22}$/);
      assert.deepEqual(claims, {
        ...{ iss: service.api.url, sub: user.id, aud: application.id, iat, exp: iat + 3_600 },
        ...{ auth_time: iat, nonce: 'the nonce', amr: ['pwd'], sid: session.id },
        ...{ name: user.name, email: user.email, email_verified: true },
      });
    });

  const SCOPES: [requested: string | undefined, scopes: readonly string[], granted: string][] = [
    ['openid email', ['self:read'], 'openid email'],
    ['profile openid self:read', ['self:read'], 'self:read openid profile'],
    ['openid self:write tokens:manage', ['self:read'], 'openid'],
    ['openid self:read', [], 'openid'],
    [undefined, ['self:read', 'self:write'], 'self:read self:write'],
  ];
  for (const [scope, scopes, granted] of SCOPES)
    test(`a request for ${scope ?? 'no scope'} to an application with [${scopes}] gets a token with ${granted}`, async () => {
      const { application, code } = await getCode({ scopes }, { scope });
      const { body } = await exchange(service, application, { code });
      assert.equal(body.scope, granted);
      const me = await service.api.get('/api/v1/me', { token: body.access_token });
      assert.equal(me.status, granted.includes('self:read') ? 200 : 403);
    });

  test('without the scope openid there is no ID token, and no claims about the person', async () => {
    const { application, code } = await getCode({}, { scope: 'email offline_access' });
    const { body } = await exchange(service, application, { code });
    assert.deepEqual([body.scope, body.id_token], ['email', undefined]);
    const userinfo = await service.api.get('/oauth/userinfo', { token: body.access_token });
    assert.deepEqual(
      [userinfo.status, userinfo.body],
      [403, { error: 'insufficient_scope', error_description: 'The token lacks the scope openid' }],
    );
    assert.match(userinfo.headers.get('www-authenticate')!, /insufficient_scope/);
  });

  test('claims are returned by the scopes of the token, by GET and POST', async () => {
    const { application, code, user } = await getCode({}, { scope: 'openid email' });
    const { access_token: token } = (await exchange(service, application, { code })).body;
    for (const method of ['GET', 'POST']) {
      const { status, body } = await service.api.request(method, '/oauth/userinfo', { token });
      assert.deepEqual([status, body], [200, { sub: user.id, email: user.email, email_verified: true }]);
    }
    const { status, body } = await service.api.get('/oauth/userinfo', { token: 'fd_pat_wrong' });
    assert.deepEqual([status, body.error], [401, 'invalid_token']);
  });

  test('an application may have no scope of the API, and a token none at all', async () => {
    for (const scope of ['openid', undefined]) {
      const { application, code, user } = await getCode({ scopes: [] }, { scope });
      const path = `/api/v1/applications/${application.id}`;
      assert.deepEqual((await service.api.get(path, admin)).body.data.scopes, []);
      const { body } = await exchange(service, application, { code });
      assert.equal(body.scope, scope ?? '');
      const { status } = await service.api.get('/api/v1/me', { token: body.access_token });
      assert.equal(status, 403);
      const tokens = await service.api.get(`/api/v1/users/${user.id}/tokens`, admin);
      assert.deepEqual(tokens.body.data[0].scopes, scope === undefined ? [] : ['openid']);
    }
  });

  test('a code without a challenge is exchanged without a verifier only, and the ID token has the nonce', async () => {
    const { application, code } = await getCode(
      {},
      { code_challenge: undefined, code_challenge_method: undefined },
    );
    const downgrade = await exchange(service, application, { code });
    assert.deepEqual([downgrade.status, downgrade.body.error], [400, 'invalid_grant']);
    assert.match(downgrade.body.error_description, /or belongs to another redirect_uri or code_verifier$/);
    const { body } = await exchange(service, application, { code, code_verifier: undefined });
    assert.equal(decodeJwt(body.id_token).nonce, 'the nonce');
  });

  test('a verifier may have any visible characters', async () => {
    const verifier = `${'+/=%:"'.repeat(7)}!`;
    const challenge = hash('sha256', verifier, 'base64url');
    const { application, code } = await getCode({}, { code_challenge: challenge });
    assert.equal((await exchange(service, application, { code, code_verifier: verifier })).status, 200);
  });

  test('the token endpoint reads no cookie, so that pages may send requests in credentials mode', async () => {
    const { application, code, headers } = await getCode();
    const send = (cookie: string) =>
      postForm(service, '/oauth/token', { grant_type: 'authorization_code', code }, { cookie });
    const anonymous = await send('');
    const { status, body, headers: received } = await send(headers.cookie);
    assert.deepEqual([status, body], [anonymous.status, anonymous.body]);
    assert.equal(received.get('set-cookie'), null);
    const elsewhere = await signIn(service, { clock });
    const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
    const { id: client_id, client_secret } = application;
    const exchanged = await postForm(
      service,
      '/oauth/token',
      { ...form, code, client_id, client_secret: client_secret! },
      elsewhere.headers,
    );
    assert.notEqual(decodeJwt(exchanged.body.id_token).sub, elsewhere.user.id);
    assert.equal(exchanged.headers.get('set-cookie'), null);
  });

  test('a public application has no secret and is rejected with one', async () => {
    const { application, code } = await getCode({ kind: 'public' });
    assert.equal(application.client_secret, null);
    assert.equal(
      (await exchange(service, application, { code, client_secret: 'x' })).body.error,
      'invalid_client',
    );
    assert.equal(
      (await exchange(service, application, { code, ...none, client_id: application.id })).status,
      200,
    );
  });

  test('errors of requests that no handler sees have the form of the standard', async () => {
    const wrongType = await service.api.post('/oauth/token', { grant_type: 'authorization_code' });
    assert.deepEqual([wrongType.status, wrongType.body.error], [415, 'invalid_request']);
    assert.match(wrongType.body.error_description, /application\/x-www-form-urlencoded/);
    const twice = await service.api.request('POST', '/oauth/token', {
      raw: 'code=a&code=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
    assert.equal((await service.api.get('/oauth/token')).status, 405);
  });
});
