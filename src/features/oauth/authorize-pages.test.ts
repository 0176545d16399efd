import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  postForm,
  REDIRECT_URI,
  readQuery,
  signIn,
  type TestApplication,
} from '../../../test/support/applications.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, openService, useService } from '../../../test/support/service.ts';

describeOnSqlite('authorization endpoint', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: { RATE_LIMIT_DOCUMENTS: 'off', RATE_LIMIT_LOGIN: 'off' },
  });
  let application: TestApplication | undefined;
  const getApplication = async () => {
    application ??= await createApplication(service);
    return application;
  };
  type Changes = Record<string, string | undefined>;
  const send = async (changes: Changes = {}, headers: Record<string, string> = {}) =>
    authorize(service, authorization(await getApplication(), changes), headers);

  test('a person who is signed in gets back to the application with code, state and iss', async () => {
    const { headers } = await signIn(service, { clock });
    const { status, location, result } = await send({}, headers);
    assert.equal(status, 303);
    assert.ok(location?.startsWith(`${REDIRECT_URI}?`));
    const { code, ...others } = result;
    assert.match(code!, /^\w{43}$/);
    assert.deepEqual(others, { state: 'the state', iss: service.api.url });
  });

  test('a person who is not signed in is led to the page for it, which leads back to the same request', async () => {
    const { status, location, result } = await send({ login_hint: 'ada@example.com', ui_locales: 'de en' });
    assert.equal(status, 303);
    assert.ok(location?.startsWith('/sign-in?'));
    assert.deepEqual([result.login_hint, result.lang], ['ada@example.com', 'de']);
    const { headers } = await signIn(service, { clock });
    const repeated = await service.api.get(result.return_to!, { headers });
    assert.ok(readQuery(repeated.headers.get('location')!).code);
  });

  const getPolicy = async (path: string) =>
    (await service.api.get(path)).headers.get('content-security-policy')!;

  test('the page to sign in names the application, and lets its form lead to the redirect URI', async () => {
    const { location } = await send();
    assert.match((await service.api.get(location!)).text, /Sign in to Application \d/);
    assert.match(await getPolicy(location!), /form-action 'self' https:\/\/app\.example\.com;/);
  });

  test('the page to sign in names no origin for another path, and no unregistered redirect URI', async () => {
    const query = authorization(await getApplication(), { redirect_uri: 'https://evil.example/' });
    for (const returnTo of ['/account', `/oauth/authorize?${query}`, '/oauth/authorize?client_id=x'])
      assert.match(
        await getPolicy(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`),
        /form-action 'self';/,
      );
  });

  const REJECTED: [title: string, changes: Changes, error: string][] = [
    ['a code_challenge_method alone', { code_challenge: undefined }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a code_challenge of another length', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the implicit response_type', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['a hybrid response_type', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['request', { request: 'e30.e30.' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['an unknown prompt', { prompt: 'always' }, 'invalid_request'],
    ['prompt none beside another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['no known scope', { scope: 'phone' }, 'invalid_scope'],
    ['only a scope that the application has not', { scope: 'self:write' }, 'invalid_scope'],
    ['prompt none without a session', { prompt: 'none' }, 'login_required'],
  ];
  for (const [title, changes, error] of REJECTED)
    test(`a request with ${title} is rejected with ${error}, state and iss by a redirect`, async () => {
      const { headers } = await signIn(service, { clock });
      const { status, location, result } = await send(changes, error === 'login_required' ? {} : headers);
      assert.equal(status, 303);
      assert.ok(location?.startsWith(`${REDIRECT_URI}?`));
      assert.deepEqual([result.error, result.state, result.iss], [error, 'the state', service.api.url]);
      assert.equal(result.code, undefined);
    });

  const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };
  const NO_NONCE = { ...NO_PKCE, nonce: undefined };
  const OR_NONCE = ', or a nonce with the scope openid';
  const WITHOUT_PKCE: [title: string, members: object, changes: Changes, text: string | null][] = [
    ['with a nonce', {}, NO_PKCE, null],
    ['without a nonce', {}, NO_NONCE, OR_NONCE],
    ['with an empty nonce', {}, { ...NO_PKCE, nonce: '' }, OR_NONCE],
    ['with a nonce, but no ID token for it', {}, { ...NO_PKCE, scope: 'email' }, OR_NONCE],
    ['of an application that requires PKCE', { require_pkce: true }, NO_PKCE, ''],
    ['of a public application', { kind: 'public' }, NO_PKCE, ''],
  ];
  for (const [title, members, changes, text] of WITHOUT_PKCE)
    test(`a request without PKCE ${title} is ${text === null ? 'accepted' : 'rejected'}`, async () => {
      const { headers } = await signIn(service, { clock });
      const query = authorization(await createApplication(service, members), changes);
      const { result } = await authorize(service, query, headers);
      if (text === null) return assert.ok(result.code);
      const required = `PKCE is required: send code_challenge and code_challenge_method=S256${text}`;
      assert.deepEqual([result.error, result.error_description], ['invalid_request', required]);
    });

  test('prompt consent changes nothing, because there is no consent page', async () => {
    const { headers } = await signIn(service, { clock });
    assert.ok((await send({ prompt: 'consent' }, headers)).result.code);
  });

  test('an id_token_hint of another person leads to the sign-in, and then or with prompt none to login_required', async () => {
    const application = await getApplication();
    const { headers, user } = await signIn(service, { clock });
    const { code } = (await send({}, headers)).result;
    const id_token_hint = (await exchange(service, application, { code })).body.id_token;
    clock.now += 1;
    const other = await signIn(service, { clock });
    const { result } = await send({ id_token_hint }, other.headers);
    assert.ok(result.return_to, 'the sign-in');
    clock.now += 1;
    const another = await signIn(service, { clock });
    for (const { headers: given } of [other, another]) {
      const repeated = await service.api.get(result.return_to, { headers: given });
      assert.equal(readQuery(repeated.headers.get('location')!).error, 'login_required');
    }
    const silent = { id_token_hint, prompt: 'none' };
    assert.equal((await send(silent, other.headers)).result.error, 'login_required');
    const again = await signIn(service, { clock, userId: user.id });
    assert.ok((await send(silent, again.headers)).result.code);
    assert.ok((await send({ ...silent, id_token_hint: 'no.valid.token' }, other.headers)).result.code);
  });

  test('a parameter that occurs twice is rejected', async () => {
    const query = `${authorization(await getApplication())}&nonce=another`;
    const { result } = await authorize(service, query);
    assert.equal(result.error, 'invalid_request');
  });

  for (const [title, changes] of [
    ['an unknown client', { client_id: 'unknown' }],
    ['no client', { client_id: undefined }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['no redirect URI', { redirect_uri: undefined }],
  ] as [string, Changes][])
    test(`a request with ${title} gets an error page and no redirect`, async () => {
      const { headers } = await signIn(service, { clock });
      const { status, location, text } = await send(changes, headers);
      assert.deepEqual([status, location], [400, null]);
      assert.match(text, /<h1>This request cannot be continued<\/h1>/);
    });

  test('a redirect URI that occurs twice gets an error page', async () => {
    const query = `${authorization(await getApplication())}&redirect_uri=https%3A%2F%2Fevil.example`;
    assert.equal((await authorize(service, query)).status, 400);
  });

  test('prompt login demands another sign-in, once', async () => {
    const { headers, user } = await signIn(service, { clock });
    clock.now += 5_000;
    const { location, result } = await send({ prompt: 'login' }, headers);
    assert.ok(location?.startsWith('/sign-in?'));
    const tooEarly = await service.api.get(result.return_to!, { headers });
    assert.ok(tooEarly.headers.get('location')?.startsWith('/sign-in?'));
    clock.now += 1;
    const again = await signIn(service, { clock, userId: user.id });
    const repeated = await service.api.get(result.return_to!, { headers: again.headers });
    assert.ok(readQuery(repeated.headers.get('location')!).code);
  });

  test('a requested_at of more than an hour ago does not let an old session pass', async () => {
    const { result } = await send({ prompt: 'login' });
    clock.now += 1;
    const { headers } = await signIn(service, { clock });
    clock.now += 60 * 60_000;
    const late = await service.api.get(result.return_to!, { headers });
    assert.ok(late.headers.get('location')?.startsWith('/sign-in?'));
  });

  test('max_age 0 demands another sign-in, also within the moment of the last one', async () => {
    const { headers } = await signIn(service, { clock });
    assert.ok((await send({ max_age: '0' }, headers)).location?.startsWith('/sign-in?'));
    assert.equal((await send({ max_age: '0', prompt: 'none' }, headers)).result.error, 'login_required');
  });

  test('prompt login beside create still demands a sign-in after the registration', async () => {
    const { headers } = await signIn(service, { clock });
    const { result } = await send({ prompt: 'login create' }, headers);
    const repeated = await service.api.get(result.return_to!, { headers });
    assert.ok(repeated.headers.get('location')?.startsWith('/sign-in?'));
  });

  /** Returns the `requested_at` that the service has written for another request. */
  const writeForAnother = async () => {
    const { result } = await send({ prompt: 'login', state: 'another' });
    return readQuery(result.return_to!).requested_at!;
  };
  const FORGED: [title: string, write: (now: number) => string | Promise<string>][] = [
    ['a time', (now) => String(Math.floor(now / 1000) - 1)],
    ['a time of long ago', () => '0'],
    ['a time and no signature', (now) => `${now - 1}.`],
    ['no number', () => 'NaN.'],
    ['the time of another request', writeForAnother],
    [
      'another time with the signature of one',
      async (now) => (await writeForAnother()).replace(/^\d+/, `${now - 1}`),
    ],
  ];
  for (const [title, write] of FORGED)
    for (const changes of [
      { prompt: 'login' },
      { max_age: '0' },
      { max_age: '4' },
      { prompt: 'select_account' },
    ])
      test(`a requested_at with ${title} does not let an old session pass ${JSON.stringify(changes)}`, async () => {
        const requested_at = await write(clock.now);
        clock.now += 1;
        const { headers } = await signIn(service, { clock });
        clock.now += 5_000;
        assert.ok((await send({ ...changes, requested_at }, headers)).location?.startsWith('/sign-in?'));
      });

  test('an older sign-in than max_age demands another one, and prompt none gets login_required', async () => {
    const { headers } = await signIn(service, { clock });
    clock.now += 60_000;
    assert.ok((await send({ max_age: '60' }, headers)).result.code);
    assert.ok((await send({ max_age: '59' }, headers)).location?.startsWith('/sign-in?'));
    assert.equal((await send({ max_age: '59', prompt: 'none' }, headers)).result.error, 'login_required');
    assert.ok((await send({ prompt: 'none' }, headers)).result.code);
  });

  test('prompt create leads to the registration, which leads back to the request without it', async () => {
    const { location, result } = await send({ prompt: 'create' });
    assert.ok(location?.startsWith('/sign-up?'));
    assert.equal(readQuery(result.return_to!).prompt, undefined);
  });

  test('a request by POST, also of another site, is repeated by GET', async () => {
    const query = authorization(await getApplication());
    const other = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' };
    const members = Object.fromEntries(new URLSearchParams(query));
    const { status, headers } = await postForm(service, '/oauth/authorize', members, other);
    assert.deepEqual([status, headers.get('location')], [303, `/oauth/authorize?${query}`]);
  });

  const readRejections = async ({ id }: TestApplication) => {
    await numberAllEvents(service.database);
    const query = new URLSearchParams({ subject: `application:${id}`, type: 'application.rejected' });
    return (await service.api.get(`/api/v1/events?${query}`, admin)).body.data;
  };

  test('a rejected request is an event of the application with its reason, once a minute, and a check', async () => {
    const rejected = await createApplication(service, { name: 'Rejected' });
    const description = 'response_type must be code';
    const query = authorization(rejected, { response_type: 'token' });
    await Promise.all(Array.from({ length: 5 }, () => authorize(service, query)));
    const [event, ...others] = await readRejections(rejected);
    assert.deepEqual([event.outcome, event.actor.type, event.address], ['failure', 'anonymous', null]);
    assert.deepEqual(event.details, {
      ...{ error: 'unsupported_response_type', description },
      redirect_uri: REDIRECT_URI,
    });
    assert.deepEqual(others, []);
    const { body } = await service.api.get('/api/v1/admin/checks', admin);
    const found = body.data.checks.filter(({ message }: { message: string }) => message.includes('Rejected'));
    assert.equal(found.length, 1);
    assert.ok(found[0].message.includes(description));
    clock.now += 60_000;
    await authorize(service, authorization(rejected, { redirect_uri: 'https://evil.example/?secret' }));
    const [latest, first] = await readRejections(rejected);
    assert.equal(first.id, event.id);
    assert.deepEqual(latest.details, {
      ...{ error: 'invalid_request', description: 'redirect_uri is not registered' },
      redirect_uri: null,
    });
    clock.now += 86_400_001;
    const later = (await service.api.get('/api/v1/admin/checks', admin)).body.data.checks;
    assert.ok(!later.some(({ message }: { message: string }) => message.includes('Rejected')));
  });

  test('a request that leads to the sign-in, or to login_required, is no event', async () => {
    const used = await createApplication(service);
    await authorize(service, authorization(used));
    await authorize(service, authorization(used, { prompt: 'none' }));
    assert.deepEqual(await readRejections(used), []);
  });

  test('the log line of a rejected request has the reason, and no value of the request', async () => {
    const read = () =>
      service.log.filter(({ reason }) => reason !== undefined).map(({ route, reason }) => [route, reason]);
    const before = read().length;
    await send({ response_type: 'token', state: 'the-state' });
    await send({ client_id: 'unknown' });
    await send({ redirect_uri: 'https://evil.example/' });
    await exchange(service, await getApplication(), { code: 'unknown' });
    assert.deepEqual(read().slice(before), [
      ['/oauth/authorize', 'unsupported_response_type: response_type must be code'],
      ['/oauth/authorize', 'unknown_application'],
      ['/oauth/authorize', 'unknown_redirect_uri'],
      [
        '/oauth/token',
        'invalid_grant: The code is wrong, has expired, was used before or belongs to another redirect_uri or code_verifier',
      ],
    ]);
  });

  test('with HOSTED_PAGES=off, the pages to sign in and out are closed, and say so', async (context) => {
    const closed = await openService(context, engine, { environment: { HOSTED_PAGES: 'off' } });
    for (const method of ['GET', 'POST'])
      for (const path of ['/oauth/authorize', '/oauth/end-session']) {
        const { status, text } = await closed.api.request(method, path);
        assert.equal(status, 404);
        assert.match(text, /People cannot sign in on the pages of this service/);
      }
  });
});
