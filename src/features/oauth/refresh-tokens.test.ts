import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  postForm,
  refresh,
  signIn,
  signInOffline,
} from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { listEvents } from '../../../test/support/processes/recovery.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { hashFamily, hashToken } from '../../lib/secrets/tokens.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { MAX_DEVICES_OF_APPLICATION } from '../people/tokens/issue-token.ts';
import { deleteExpiredTokens } from '../people/tokens/queries.ts';

const GRACE_MS = 30_000;
const STORED = sql<Record<string, unknown>>('select * from refresh_tokens where family_id = $1');
const MAIL = sql<{ kind: string; data: string }>('select kind, data from jobs where user_id = $1');
const ROWS = sql<{ rows: number }>('select count(*) as rows from tokens where user_id = $1');

describeStorage('refresh tokens of applications', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off' },
  });
  type SignedIn = Awaited<ReturnType<typeof signInOffline>>;

  const start = (members: object = {}) => signInOffline(service, { clock, members });
  const use = (signedIn: SignedIn, token = signedIn.token, changes = {}) =>
    refresh(service, { ...signedIn, token }, changes);
  const isValid = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;
  const getError = async (response: ReturnType<typeof refresh>) => {
    const { status, body } = await response;
    return [status, body.error];
  };
  const listTokens = async (userId: string) =>
    (await service.api.get(`/api/v1/users/${userId}/tokens`, admin)).body.data as Record<string, string>[];

  test('offline_access gets a refresh token only for an application with refresh, and the granted scope says so', async () => {
    for (const [members, scope, isGranted] of [
      [{}, 'openid offline_access', false],
      [{ refresh: true }, 'openid', false],
      [{ refresh: true }, 'openid offline_access', true],
    ] as const) {
      const application = await createApplication(service, members);
      const { headers } = await signIn(service, { clock });
      const query = authorization(application, { scope });
      const { code } = (await authorize(service, query, headers)).result;
      const { body } = await exchange(service, application, { code });
      assert.equal(body.scope, isGranted ? 'openid offline_access' : 'openid');
      assert.equal(typeof body.refresh_token, isGranted ? 'string' : 'undefined');
      if (isGranted) assert.match(body.refresh_token, /^fd_rt_[0-9A-Za-z]{49}$/);
    }
    const { body } = await service.api.get('/.well-known/openid-configuration');
    assert.ok(body.grant_types_supported.includes('refresh_token'));
    assert.ok(body.scopes_supported.includes('offline_access'));
  });

  test('a use returns new tokens and an ID token of the same sign-in, without a nonce', async () => {
    const signedIn = await start();
    clock.now += 2 * HOUR;
    const { status, body, headers } = await use(signedIn);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual([body.expires_in, body.scope], [3_600, signedIn.body.scope]);
    assert.ok(await isValid(body.access_token));
    const [first, second] = [signedIn.body.id_token, body.id_token].map((token) => decodeJwt(token));
    for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'amr', 'sid', 'email'])
      assert.deepEqual(second![claim], first![claim], claim);
    assert.equal(second!.iat, Math.floor(clock.now / 1000));
    assert.equal(second!.nonce, undefined);
  });

  test('the lifetimes are those of the application', async () => {
    const signedIn = await start({ access_token_minutes: 5, refresh_idle_days: 2, refresh_days: 3 });
    assert.equal(signedIn.body.expires_in, 300);
    clock.now += 5 * MINUTE;
    assert.ok(!(await isValid(signedIn.access)));
    clock.now += 2 * DAY - 6 * MINUTE;
    const { body } = await use(signedIn);
    clock.now += DAY;
    const last = (await use(signedIn, body.refresh_token)).body;
    clock.now += MINUTE;
    assert.deepEqual(await getError(use(signedIn, last.refresh_token)), [400, 'invalid_grant']);
    assert.ok(!(await isValid(last.access_token)), 'an access token outlives its refresh token');
    const idle = await start({ refresh_idle_days: 2 });
    clock.now += 2 * DAY;
    assert.deepEqual(await getError(use(idle)), [400, 'invalid_grant']);
    const shortened = await start();
    clock.now += 2 * DAY;
    await service.api.patch(`/api/v1/applications/${shortened.application.id}`, { refresh_days: 2 }, editor);
    assert.deepEqual(await getError(use(shortened)), [400, 'invalid_grant']);
  });

  test('only hashes are stored, and nothing from which the current token can be derived alone', async () => {
    const signedIn = await start();
    const { body } = await use(signedIn);
    const [{ id }] = (await listTokens(signedIn.user.id)) as [{ id: string }];
    const [row] = await service.database.all(STORED, id);
    assert.deepEqual(
      [row!.previous_hash, row!.current_hash],
      [signedIn.token, body.refresh_token].map(hashToken),
    );
    assert.equal(hashFamily(signedIn.token), hashFamily(body.refresh_token));
    assert.notEqual(signedIn.token, body.refresh_token);
  });

  test('the replaced token gets the same successor within 30 seconds, and ends all tokens of the program afterwards', async () => {
    const signedIn = await start();
    const { body } = await use(signedIn);
    clock.now += GRACE_MS - 1;
    const repeated = (await use(signedIn)).body;
    assert.equal(repeated.refresh_token, body.refresh_token);
    assert.ok(await isValid(repeated.access_token));
    clock.now += 1;
    assert.deepEqual(await getError(use(signedIn)), [400, 'invalid_grant']);
    assert.deepEqual(await getError(use(signedIn, body.refresh_token)), [400, 'invalid_grant']);
    for (const token of [signedIn.access, body.access_token, repeated.access_token])
      assert.ok(!(await isValid(token)));
    assert.deepEqual((await listEvents(service, signedIn.user.id)).slice(-1), ['token.reused by anonymous']);
    const mail = await service.database.all(MAIL, signedIn.user.id);
    assert.deepEqual(
      mail.map(({ kind, data }) => [kind, Object.keys(JSON.parse(data))]),
      [['token_reused', ['application']]],
    );
  });

  test('concurrent uses get one successor, and leave five access tokens', async () => {
    const signedIn = await start();
    const responses = await Promise.all(Array.from({ length: 12 }, () => use(signedIn)));
    const successors = new Set(responses.map(({ body }) => body.refresh_token));
    assert.equal(successors.size, 1);
    const valid = await Promise.all(responses.map(({ body }) => isValid(body.access_token)));
    assert.equal(valid.filter(Boolean).length, 5);
    assert.equal((await use(signedIn, [...successors][0])).status, 200);
  });

  test('a request narrows the scopes of an access token, not those of the refresh token, and never widens them', async () => {
    const signedIn = await start();
    const { body } = await use(signedIn, signedIn.token, { scope: 'self:read' });
    assert.deepEqual([body.scope, body.id_token], ['self:read', undefined]);
    const wider = use(signedIn, body.refresh_token, { scope: 'self:read profile' });
    assert.deepEqual(await getError(wider), [400, 'invalid_scope']);
    const all = await use(signedIn, body.refresh_token);
    assert.equal(all.body.scope, signedIn.body.scope);
  });

  test('a scope that the application has lost is missing from the next access token', async () => {
    const signedIn = await start({ scopes: ['self:read', 'self:write'] });
    assert.match(signedIn.body.scope, /self:read self:write/);
    const path = `/api/v1/applications/${signedIn.application.id}`;
    assert.equal((await service.api.patch(path, { scopes: ['self:read'] }, editor)).status, 200);
    const { body } = await use(signedIn);
    assert.equal(body.scope, 'self:read openid email offline_access');
  });

  const REJECTED: [
    title: string,
    changes: Record<string, string | undefined>,
    status: number,
    error: string,
  ][] = [
    ['an invented token', { refresh_token: `fd_rt_${'a'.repeat(49)}` }, 400, 'invalid_grant'],
    ['no token', { refresh_token: undefined }, 400, 'invalid_request'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
  ];
  for (const [title, changes, status, error] of REJECTED)
    test(`a use with ${title} is rejected with ${error}, and the token stays valid`, async () => {
      const signedIn = await start();
      assert.deepEqual(await getError(use(signedIn, signedIn.token, changes)), [status, error]);
      assert.equal((await use(signedIn)).status, 200);
    });

  test('a token of another application is rejected and stays valid', async () => {
    const signedIn = await start();
    const application = await createApplication(service, { refresh: true });
    const other = { application, token: signedIn.token };
    assert.deepEqual(await getError(refresh(service, other)), [400, 'invalid_grant']);
    const { id: client_id, client_secret } = application;
    await postForm(service, '/oauth/revoke', {
      ...{ client_id, client_secret: client_secret! },
      token: signedIn.token,
    });
    assert.equal((await use(signedIn)).status, 200);
  });

  test('a refresh token is no access token', async () => {
    const { token } = await start();
    for (const path of ['/api/v1/me', '/oauth/userinfo'])
      assert.equal((await service.api.get(path, { token })).status, 401);
    const { body } = await service.api.post('/api/v1/tokens/verify', { token }, admin);
    assert.deepEqual(body, { active: false });
  });

  test('the program is one device in every list, whose end ends all tokens; of an access token it ends this one only', async () => {
    const signedIn = await start();
    const { body } = await use(signedIn);
    const token = body.access_token;
    const own = (await service.api.get('/api/v1/tokens', { token })).body.data;
    assert.equal(own.length, 1);
    assert.deepEqual([own[0].current, own[0].first_characters], [true, body.refresh_token.slice(0, 12)]);
    assert.equal(own[0].last_used_at, new Date(clock.now).toISOString());
    assert.equal((await service.api.get('/api/v1/me/token', { token })).body.data.current, true);
    assert.equal((await listTokens(signedIn.user.id)).length, 1);
    const found = await service.api.get(`/api/v1/users?search=${body.refresh_token}`, admin);
    assert.deepEqual(pluck(found.body.data, 'id'), [signedIn.user.id]);
    const exported = await service.api.get('/api/v1/me/export', { token });
    assert.equal(exported.body.tokens.length, 1);
    const { headers } = signedIn;
    const page = await service.api.get('/account', { headers });
    assert.equal(page.text.split(`/account/tokens/${own[0].id}/revoke`).length, 2);
    const { id: client_id, client_secret } = signedIn.application;
    const client = { client_id, client_secret: client_secret! };
    await postForm(service, '/oauth/revoke', { ...client, token: signedIn.access });
    assert.deepEqual([await isValid(signedIn.access), await isValid(token)], [false, true]);
    assert.equal((await service.api.post(`/api/v1/tokens/${own[0].id}/rotate`, {}, { token })).status, 404);
    assert.equal((await service.api.delete(`/api/v1/tokens/${own[0].id}`, { token })).status, 204);
    assert.ok(!(await isValid(token)));
  });

  test('a token that the program creates or replaces ends with it', async () => {
    const signedIn = await start({ scopes: ['self:read', 'tokens:manage'] });
    const lasting = { name: 'Lasting', expires_in: 31_536_000 };
    const created = (await service.api.post('/api/v1/tokens', lasting, { token: signedIn.access })).body.data;
    assert.ok(await isValid(created.access_token));
    const rotation = { overlap: 0 };
    const path = `/api/v1/tokens/${created.id}/rotate`;
    const rotated = await service.api.post(path, rotation, { token: signedIn.access });
    const token = rotated.body.data.access_token;
    assert.ok(await isValid(token));
    clock.now += 30 * DAY;
    assert.ok(!(await isValid(token)));
  });

  test('the web application introspects its own refresh token, of others nothing', async () => {
    const signedIn = await start();
    const introspect = async ({ id: client_id, client_secret }: SignedIn['application'], token: string) =>
      (await postForm(service, '/oauth/introspect', { client_id, client_secret: client_secret!, token }))
        .body;
    const { body } = await use(signedIn);
    const { id: client_id } = signedIn.application;
    assert.deepEqual(await introspect(signedIn.application, body.refresh_token), {
      ...{ active: true, sub: signedIn.user.id, scope: body.scope, client_id },
      iat: Math.floor(clock.now / 1000),
      exp: Math.floor((clock.now + 30 * DAY) / 1000),
    });
    const other = await createApplication(service);
    for (const [application, token] of [
      [signedIn.application, signedIn.token],
      [other, body.refresh_token],
    ] as const)
      assert.deepEqual(await introspect(application, token), { active: false });
  });

  test(`a person has ${MAX_DEVICES_OF_APPLICATION} programs of an application that stay signed in: the next one replaces the oldest`, async () => {
    const first = await start();
    const { application, user } = first;
    const next = () => signInOffline(service, { clock, application, userId: user.id });
    for (let count = 2; count <= MAX_DEVICES_OF_APPLICATION; count++) await next();
    assert.equal((await listTokens(user.id)).length, MAX_DEVICES_OF_APPLICATION);
    const last = await next();
    assert.equal((await listTokens(user.id)).length, MAX_DEVICES_OF_APPLICATION);
    assert.deepEqual([await isValid(first.access), await isValid(last.access)], [false, true]);
  });

  test('the housekeeping deletes ended refresh tokens with their rows', async () => {
    const { database } = service;
    const { user } = await start();
    const [{ id }] = (await listTokens(user.id)) as [{ id: string }];
    clock.now += 30 * DAY;
    while ((await database.transaction((tx) => deleteExpiredTokens(tx, clock.now, 500))) > 0);
    assert.deepEqual((await database.all(ROWS, user.id))[0]!.rows, 0);
    assert.deepEqual(await database.all(STORED, id), []);
  });
});
