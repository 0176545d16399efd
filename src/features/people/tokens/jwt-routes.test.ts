import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  signIn,
} from '../../../../test/support/applications.ts';
import { assertNoLimitFields, limited, manualClock } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, type TestService, useService } from '../../../../test/support/service.ts';
import {
  insertLoggedInUser,
  insertTestToken,
  insertTestUser,
  markEmailVerified,
} from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';

const PATH = '/api/v1/tokens/jwt';
const KEYS_PATH = '/.well-known/jwks.json';
const ISSUER = 'https://id.example.com';
const ORDERS = 'https://orders.example.com';
const TWO = { PUBLIC_URL: ISSUER, JWT_AUDIENCES: `${ORDERS}, search` };

const COUNT_EVENTS = sql<{ events: number }>('select count(*) as events from events');

describeOnSqlite('POST /api/v1/tokens/jwt', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock, environment: TWO });
  const { database } = service;
  const one = useService(engine, { clock, environment: { PUBLIC_URL: ISSUER, JWT_AUDIENCES: 'search' } });
  const off = useService(engine, { clock });
  const logIn = (from: TestService = service) => insertLoggedInUser(from.service.database, clock.now);
  const getKeys = () => createRemoteJWKSet(new URL(service.api.url + KEYS_PATH));
  const verify = (token: string, audience = ORDERS) =>
    jwtVerify(token, getKeys(), {
      ...{ issuer: ISSUER, audience, algorithms: ['ES256'], typ: 'at+jwt' },
      currentDate: new Date(clock.now),
    });

  test('a JSON Web Token has the header and the claims of RFC 9068, and verifies with the published keys', async () => {
    const user = await logIn();
    const { status, headers, body } = await service.api.post(PATH, { audience: ORDERS }, user);
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
    const { token, ...rest } = body;
    const expires_at = new Date(clock.now + 300_000).toISOString();
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 300, expires_at });
    const { payload, protectedHeader } = await verify(token);
    const { jti, ...claims } = payload;
    assert.match(jti!, /^[0-9a-f-]{36}$/);
    const iat = clock.now / 1000;
    assert.deepEqual(claims, {
      ...{ iss: ISSUER, sub: user.id, aud: ORDERS, iat, exp: iat + 300 },
      ...{
        scope: 'self:read self:write tokens:manage',
        email: user.email,
        email_verified: false,
        level: null,
      },
    });
    const { kid, ...header } = protectedHeader;
    assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt' });
    const set = await service.api.get(KEYS_PATH);
    assert.deepEqual(
      set.body.keys.map((key: { kid: string }) => key.kid),
      [kid],
    );
    const { body: again } = await service.api.post(PATH, { audience: ORDERS }, user);
    assert.notEqual((await verify(again.token)).payload.jti, jti);
  });

  test('a JSON Web Token has the data of the user record, and app_metadata on request only', async () => {
    const user = await insertTestUser(database, { level: 'gold', appMetadata: '{"plan":"pro"}' });
    await markEmailVerified(service, user.id, clock.now);
    const plain = await insertTestUser(database, { email: null, emailKey: null });
    const expiry = { createdAt: clock.now, expiresAt: clock.now + 3_600_000 };
    const issue = async (userId: string, body: object) => {
      const { token } = await insertTestToken(database, userId, expiry);
      const response = await service.api.post(PATH, { audience: 'search', ...body }, { token });
      assert.equal(response.status, 200);
      return (await verify(response.body.token, 'search')).payload;
    };
    const full = await issue(user.id, { app_metadata: true });
    assert.partialDeepStrictEqual(full, { level: 'gold', email_verified: true, scope: 'self:read' });
    assert.deepEqual(full.app_metadata, { plan: 'pro' });
    assert.ok(!('app_metadata' in (await issue(user.id, { app_metadata: false }))));
    const empty = await issue(plain.id, { app_metadata: true });
    assert.deepEqual([empty.app_metadata, 'email' in empty], [{}, false]);
  });

  test('a JSON Web Token does not expire after the access token that it was issued for', async () => {
    const { id } = await insertTestUser(database);
    const expiresAt = clock.now + 90_999;
    const { token } = await insertTestToken(database, id, { createdAt: clock.now, expiresAt });
    const { body } = await service.api.post(PATH, { audience: ORDERS }, { token });
    assert.deepEqual([body.expires_in, body.expires_at], [90, new Date(clock.now + 90_000).toISOString()]);
    const { exp } = (await verify(body.token)).payload;
    clock.now += 90_000;
    assert.equal(exp, clock.now / 1000);
    await assert.rejects(verify(body.token), errors.JWTExpired);
  });

  test('the audience of a JSON Web Token may be left out if there is one only, with the whole body', async () => {
    const user = await logIn(one);
    for (const request of [undefined, {}, { audience: 'search' }]) {
      const { status, body } = await one.api.post(PATH, request, { token: user.token });
      assert.equal(status, 200);
      const set = createRemoteJWKSet(new URL(one.api.url + KEYS_PATH));
      const options = { audience: 'search', currentDate: new Date(clock.now) };
      assert.equal((await jwtVerify(body.token, set, options)).payload.aud, 'search');
    }
  });

  const rejected: readonly [object | undefined, object][] = [
    [undefined, { audience: ['The audience field is required.'] }],
    [{}, { audience: ['The audience field is required.'] }],
    [{ audience: 'https://others.example.com' }, { audience: ['The selected audience is invalid.'] }],
    [{ audience: `${ORDERS}/` }, { audience: ['The selected audience is invalid.'] }],
  ];
  test('a request for a JSON Web Token with an invalid body is rejected with 400, which names the member', async () => {
    const { token } = await logIn();
    for (const [body, errors] of rejected) {
      const { status, body: response } = await service.api.post(PATH, body, { token });
      assert.deepEqual([status, response.errors], [400, errors], JSON.stringify(body));
    }
  });

  test('without JWT_AUDIENCES, requests for JSON Web Tokens are rejected with 403, which says so, and there are no keys', async () => {
    const { token } = await logIn(off);
    const { status, body } = await off.api.post(PATH, {}, { token });
    assert.deepEqual([status, body.code], [403, 'forbidden']);
    assert.match(body.error, /JWT_AUDIENCES/);
    const keys = await off.api.get(KEYS_PATH);
    assert.deepEqual([keys.status, keys.body], [200, { keys: [] }]);
    assert.equal(keys.headers.get('cache-control'), 'no-store');
    assert.equal(keys.headers.get('etag'), null);
  });

  test('the API does not accept a JSON Web Token as an access token, and does not verify it', async () => {
    const { token } = await logIn();
    const { body } = await service.api.post(PATH, { audience: ORDERS }, { token });
    for (const path of ['/api/v1/me', '/api/v1/users']) {
      const { status, body: response } = await service.api.get(path, { token: body.token });
      assert.deepEqual([status, response.code], [401, 'unauthorized'], path);
    }
    const verification = { token: body.token };
    const { body: result } = await service.api.post('/api/v1/tokens/verify', verification, {
      token: ADMIN_TOKEN,
    });
    assert.deepEqual(result, { active: false });
  });

  test('an issued JSON Web Token is not recorded as an event', async () => {
    const user = await logIn();
    const before = await database.get(COUNT_EVENTS);
    assert.equal((await service.api.post(PATH, { audience: ORDERS }, user)).status, 200);
    assert.deepEqual(await database.get(COUNT_EVENTS), before);
  });

  test('a JSON Web Token stays valid for its lifetime when its access token is revoked, but no further one is issued', async () => {
    const user = await logIn();
    const { body } = await service.api.post(PATH, { audience: ORDERS }, user);
    await service.api.post('/api/logout', undefined, user);
    assert.equal((await service.api.post(PATH, { audience: ORDERS }, user)).status, 401);
    clock.now += 299_000;
    await verify(body.token);
    clock.now += 1_000;
    await assert.rejects(verify(body.token), errors.JWTExpired);
  });

  test('GET /.well-known/jwks.json returns public keys only, for caches, and 304 to those who have them', async () => {
    const { token } = await logIn();
    const issued = await service.api.post(PATH, { audience: ORDERS }, { token });
    const { status, headers, body } = await service.api.get(KEYS_PATH);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'public, max-age=300');
    const [key, ...others] = body.keys;
    assert.deepEqual(others, []);
    assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { kid } = decodeProtectedHeader(issued.body.token);
    assert.partialDeepStrictEqual(key, { kty: 'EC', crv: 'P-256', kid, use: 'sig', alg: 'ES256' });
    const etag = headers.get('etag')!;
    for (const ifNoneMatch of [etag, `W/${etag}`, '*']) {
      const again = await service.api.get(KEYS_PATH, { headers: { 'if-none-match': ifNoneMatch } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
      assert.equal(again.headers.get('cache-control'), 'public, max-age=300');
    }
    const other = await service.api.get(KEYS_PATH, { headers: { 'if-none-match': '"x"' } });
    assert.equal(other.status, 200);
  });
});

describeOnSqlite('limits of the keys of JSON Web Tokens', (engine) => {
  const service = useService(engine, limited({ ...TWO, CORS_ORIGINS: 'https://app.example.com' }));

  test('GET /.well-known/jwks.json has no limit of one client, because caches keep it, and pages of listed origins may read it', async () => {
    const origin = 'https://app.example.com';
    const { status, headers } = await service.api.get(KEYS_PATH, { headers: { origin } });
    assert.equal(status, 200);
    assertNoLimitFields(headers);
    assert.equal(headers.get('access-control-allow-origin'), origin);
  });
});

describeOnSqlite('JSON Web Tokens of applications', (engine) => {
  const service = useService(engine, { environment: TWO });

  const AUDIENCES: readonly [
    jwt_audiences: readonly string[],
    requested: string | undefined,
    expected: number | string,
  ][] = [
    [[], undefined, 403],
    [[], 'search', 403],
    [['search'], undefined, 'search'],
    [['search'], ORDERS, 400],
    [['search', ORDERS], undefined, 400],
    [['search', ORDERS], ORDERS, ORDERS],
  ];
  test('a token of an application gets JSON Web Tokens for the audiences of this application only, with its client_id', async () => {
    for (const [jwt_audiences, audience, expected] of AUDIENCES) {
      const application = await createApplication(service, { jwt_audiences });
      const { cookie } = (await signIn(service)).headers;
      const headers = { cookie: `__Host-${cookie}` };
      const { result } = await authorize(service, authorization(application), headers);
      const { access_token } = (await exchange(service, application, { code: result.code })).body;
      const { status, body } = await service.api.post(PATH, { audience }, { token: access_token });
      const title = JSON.stringify([jwt_audiences, audience]);
      if (typeof expected === 'number') {
        assert.equal(status, expected, title);
        continue;
      }
      const payload = decodeJwt(body.token);
      assert.deepEqual([payload.aud, payload.client_id], [expected, application.id], title);
    }
  });
});
