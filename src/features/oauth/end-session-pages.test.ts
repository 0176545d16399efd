import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  postForm,
  signIn,
} from '../../../test/support/applications.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';

const AFTERWARDS = 'https://app.example.com/signed-out';

describeOnSqlite('sign-out for applications', (engine) => {
  const service = useService(engine, {
    environment: { RATE_LIMIT_DOCUMENTS: 'off', RATE_LIMIT_LOGIN: 'off' },
  });

  async function signInToApplication() {
    const application = await createApplication(service, { post_logout_redirect_uris: [AFTERWARDS] });
    const person = await signIn(service);
    const { result } = await authorize(service, authorization(application), person.headers);
    const { body } = await exchange(service, application, { code: result.code });
    const isSignedIn = async () =>
      (await authorize(service, authorization(application), person.headers)).result.code !== undefined;
    const hasToken = async () =>
      (await service.api.get('/api/v1/me', { token: body.access_token })).status === 200;
    return { application, ...person, idToken: body.id_token as string, isSignedIn, hasToken };
  }

  const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
    service.api.get(`/oauth/end-session?${new URLSearchParams(query)}`, { headers });

  test('with a valid hint, the session and its tokens end, and the browser is led to the registered URI', async () => {
    const person = await signInToApplication();
    const query = { id_token_hint: person.idToken, post_logout_redirect_uri: AFTERWARDS, state: 'a&b' };
    const { status, headers } = await get(query, person.headers);
    assert.deepEqual([status, headers.get('location')], [303, `${AFTERWARDS}?state=a%26b`]);
    assert.match(headers.get('set-cookie')!, /Max-Age=0/);
    assert.deepEqual([await person.isSignedIn(), await person.hasToken()], [false, false]);
  });

  test('a valid hint ends its session also without the cookie', async () => {
    const person = await signInToApplication();
    assert.equal((await get({ id_token_hint: person.idToken })).status, 200);
    assert.deepEqual([await person.isSignedIn(), await person.hasToken()], [false, false]);
  });

  test('with an unregistered URI the session ends, and a page says so', async () => {
    const person = await signInToApplication();
    const query = { id_token_hint: person.idToken, post_logout_redirect_uri: 'https://evil.example/' };
    const { status, headers, text } = await get(query, person.headers);
    assert.deepEqual([status, headers.get('location')], [200, null]);
    assert.match(text, /You are signed out[\s\S]*not registered/);
    assert.equal(await person.isSignedIn(), false);
  });

  const invalid = (idToken: string): [title: string, query: Record<string, string>][] => [
    ['no hint', {}],
    ['a manipulated hint', { id_token_hint: `${idToken.slice(0, -4)}AAAA` }],
    ['an unsigned hint', { id_token_hint: `eyJhbGciOiJub25lIn0.${idToken.split('.')[1]}.` }],
    ['a hint of another application', { id_token_hint: idToken, client_id: 'another' }],
  ];
  test('without a valid hint, the page asks first, and nothing ends', async () => {
    const person = await signInToApplication();
    for (const [title, query] of invalid(person.idToken)) {
      const { status, text } = await get(query, person.headers);
      assert.equal(status, 200, title);
      assert.match(text, /<h1>Sign out\?<\/h1>/, title);
    }
    assert.deepEqual([await person.isSignedIn(), await person.hasToken()], [true, true]);
  });

  test('a hint of somebody else asks first', async () => {
    const person = await signInToApplication();
    const other = await signInToApplication();
    assert.match((await get({ id_token_hint: other.idToken }, person.headers)).text, /Sign out\?/);
    assert.equal(await other.hasToken(), true);
  });

  test('the form of the page signs out and leads to the registered URI, which its policy permits', async () => {
    const person = await signInToApplication();
    const query = { client_id: person.application.id, post_logout_redirect_uri: AFTERWARDS };
    const page = await get(query, person.headers);
    assert.match(
      page.headers.get('content-security-policy')!,
      /form-action 'self' https:\/\/app\.example\.com;/,
    );
    const foreign = { ...person.headers, 'sec-fetch-site': 'cross-site' };
    assert.equal((await postForm(service, '/oauth/end-session/confirm', query, foreign)).status, 403);
    assert.equal(await person.isSignedIn(), true);
    const own = { ...person.headers, 'sec-fetch-site': 'same-origin' };
    const { status, headers } = await postForm(service, '/oauth/end-session/confirm', query, own);
    assert.deepEqual([status, headers.get('location')], [303, AFTERWARDS]);
    assert.deepEqual([await person.isSignedIn(), await person.hasToken()], [false, false]);
  });

  test('an application signs people out by a form of its own, which is repeated by GET', async () => {
    const foreign = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' };
    const { status, headers } = await postForm(service, '/oauth/end-session', { state: 'x' }, foreign);
    assert.deepEqual([status, headers.get('location')], [303, '/oauth/end-session?state=x']);
  });
});
