import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeading } from '../../../test/support/browser/account-pages.ts';
import { limited } from '../../../test/support/limits.ts';
import { listEvents, logIn, waitingKinds, waitingMail } from '../../../test/support/processes/recovery.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, editor, newUserData, openService, useService } from '../../../test/support/service.ts';
import type { Person } from '../../../test/support/upstream/issuer.ts';
import {
  addProvider,
  createBrowser,
  LOOPBACK_ALLOWED,
  type TestBrowser,
  useProvider,
} from '../../../test/support/upstream/sign-in.ts';
import { createUnclaimedUser, markEmailVerified, register } from '../../../test/support/users.ts';
import { prepareAll, prepareRun } from '../../database/prepare.ts';
import { createMailCodes } from '../mail/mail-codes.ts';
import { countIdentities } from './queries.ts';

const SECRET_KEY = 'secret-key-of-the-tests-of-identities';
const PAGE = '/sign-in/identity';
const findIds = prepareAll<{ id: string }, [emailKey: string]>('select id from users where email_key = $1');
const enableTotp = prepareRun<[id: string]>('update users set totp_enabled_at = 1 where id = $1');
const getCode = createMailCodes(SECRET_KEY);

const findSessionCookie = ({ cookies }: TestBrowser) =>
  cookies.keys().find((name) => name.startsWith('frontdesk-person-'))!;

describeOnEachEngine('identities', (engine) => {
  const service = useService(engine, { environment: { ...LOOPBACK_ALLOWED, SECRET_KEY } });
  const { issuer, provider } = useProvider(service);

  const newPerson = (changes: Partial<Person> = {}): Person => {
    const { email, name } = newUserData();
    return { sub: `sub-${email}`, email, name, email_verified: true, ...changes };
  };
  const toPerson = ({ email }: { email: string }, changes: object = {}) => newPerson({ email, ...changes });
  const database = () => service.database;
  const getUser = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, editor)).body.data;
  const listUsers = async (email: unknown) => {
    const found = await findIds(database(), String(email).toLowerCase());
    return Promise.all(found.map(({ id }) => getUser(id)));
  };
  const signIn = async (person: Person, browser = createBrowser(service)) => {
    const response = await browser.signIn(issuer, provider.id, person);
    return { browser, response, location: response.headers.get('location') };
  };
  const ask = async (person: Person, heading: string) => {
    const { browser, location, response } = await signIn(person);
    assert.equal(location, PAGE, response.text);
    assert.equal(browser.hasSession(), false);
    const page = await browser.get(PAGE);
    assert.equal(getHeading(page), heading);
    return { browser, page };
  };
  const readCode = async (email: unknown) => {
    const mails = await waitingMail(service, String(email));
    const { data } = mails.filter(({ kind }) => kind === 'sign_in_code').at(-1)!;
    return getCode(JSON.parse(data).code_id);
  };
  const assertSignedIn = (
    browser: TestBrowser,
    response: { headers: Headers; text: string },
    to = '/account',
  ) => {
    assert.equal(response.headers.get('location'), to, response.text);
    assert.equal(browser.hasSession(), true);
  };
  const assertLinked = async (person: Person, userId: string) => {
    assert.equal(await countIdentities(database(), userId), 1);
    const { browser, response } = await signIn({
      ...person,
      email: newUserData().email,
      email_verified: false,
    });
    assertSignedIn(browser, response);
    assert.equal(
      await countIdentities(database(), userId),
      1,
      'the email of the provider does not count afterwards',
    );
  };
  const findOnlyUser = async (email: unknown) => {
    const users = await listUsers(email);
    assert.equal(users.length, 1);
    return users[0];
  };

  test('a verified email without an account creates an active one without a password', async () => {
    const person = newPerson();
    const { browser, response } = await signIn(person);
    assertSignedIn(browser, response);
    const user = await findOnlyUser(person.email);
    assert.equal(user.state, 'active');
    assert.notEqual(user.email_verified_at, null);
    assert.equal(user.name, person.name);
    const events = await listEvents(service, user.id);
    assert.deepEqual(events, ['user.created by user', 'identity.linked by user', 'session.created by user']);
    await assertLinked(person, user.id);
  });

  test('an unverified email without an account creates one after the code that was mailed', async () => {
    const person = newPerson({ email_verified: false });
    const { browser } = await ask(person, 'Check your email');
    assert.deepEqual(await listUsers(person.email), []);
    const code = await readCode(person.email);
    assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    const wrong = await browser.submit(`${PAGE}/code`, { mail_code: 'AAAA-AAAA' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /The code is wrong/);
    assert.deepEqual(await listUsers(person.email), []);
    const response = await browser.submit(`${PAGE}/code`, {
      mail_code: ` ${code.toLowerCase().replace('-', ' ')}`,
    });
    assertSignedIn(browser, response);
    await assertLinked(person, (await findOnlyUser(person.email)).id);
  });

  test('a code is not accepted after five wrong ones or from another browser, and starts one session', async () => {
    const person = newPerson({ email_verified: false });
    const { browser } = await ask(person, 'Check your email');
    const code = await readCode(person.email);
    const other = createBrowser(service);
    assert.equal((await other.submit(`${PAGE}/code`, { mail_code: code })).status, 400);
    for (let attempt = 0; attempt < 5; attempt++)
      await browser.submit(`${PAGE}/code`, { mail_code: 'AAAA-AAAA' });
    assert.equal((await browser.submit(`${PAGE}/code`, { mail_code: code })).status, 400);
    await browser.submit(`${PAGE}/mail-code`);
    const next = await readCode(person.email);
    assert.notEqual(next, code);
    assert.equal((await browser.submit(`${PAGE}/code`, { mail_code: code })).status, 400);
    assertSignedIn(browser, await browser.submit(`${PAGE}/code`, { mail_code: next }));
    const name = findSessionCookie(browser);
    const token = browser.cookies.get(name);
    browser.cookies.delete(name);
    assertSignedIn(browser, await browser.submit(`${PAGE}/code`, { mail_code: next }));
    assert.equal(browser.cookies.get(name), token);
  });

  test('parallel wrong codes get five tries together', async () => {
    const person = newPerson({ email_verified: false });
    const { browser } = await ask(person, 'Check your email');
    await Promise.all(
      Array.from({ length: 12 }, () => browser.submit(`${PAGE}/code`, { mail_code: 'AAAA-AAAA' })),
    );
    const code = await readCode(person.email);
    assert.equal((await browser.submit(`${PAGE}/code`, { mail_code: code })).status, 400);
  });

  test('a verified email claims an unclaimed account and is linked', async () => {
    const user = await createUnclaimedUser(service);
    const person = toPerson(user);
    const { browser, response } = await signIn(person);
    assertSignedIn(browser, response);
    const { state, email_verified_at } = await getUser(user.id);
    assert.equal(state, 'active');
    assert.notEqual(email_verified_at, null);
    assert.ok((await listEvents(service, user.id)).includes('user.claimed by user'));
    await assertLinked(person, user.id);
  });

  test('the password of an account whose address was never verified links it and keeps everything', async () => {
    const user = await register(service);
    const person = toPerson(user);
    const { browser } = await ask(person, 'Is this your account?');
    const wrong = await browser.submit(`${PAGE}/password`, { current_password: 'a wrong password' });
    assert.match(wrong.text, /Email or password is wrong/);
    assert.equal(wrong.status, 401);
    assert.ok(
      (await listEvents(service, user.id)).includes('login.failed (wrong_password) by anonymous'),
      'as a login',
    );
    assert.equal(await countIdentities(database(), user.id), 0);
    assertSignedIn(browser, await browser.submit(`${PAGE}/password`, { current_password: user.password }));
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).status, 200);
    assert.notEqual((await getUser(user.id)).email_verified_at, null);
    assert.equal((await logIn(service, user)).status, 200);
    assert.ok((await waitingKinds(service, user.email)).includes('identity_linked'));
    await assertLinked(person, user.id);
  });

  for (const email_verified of [true, false])
    test(`a verified account is linked after a mailed code (email verified by the provider: ${email_verified})`, async () => {
      const user = await register(service);
      await markEmailVerified(service, user.id);
      const person = toPerson(user, { email_verified });
      const { browser } = await ask(
        person,
        email_verified ? 'You have an account already' : 'Check your email',
      );
      assert.equal((await browser.submit(`${PAGE}/not-mine`)).status, 400);
      if (email_verified) await browser.submit(`${PAGE}/mail-code`);
      assertSignedIn(
        browser,
        await browser.submit(`${PAGE}/code`, { mail_code: await readCode(user.email) }),
      );
      assert.equal((await logIn(service, user)).status, 200);
      await assertLinked(person, user.id);
    });

  test('a session that begins after the question links by one more click, an earlier one does not', async () => {
    const person = newPerson();
    const { browser } = await signIn(person);
    const user = await findOnlyUser(person.email);
    const second = toPerson({ email: String(person.email) }, { sub: 'second' });
    await signIn(second, browser);
    assert.equal(getHeading(await browser.get(PAGE)), 'You have an account already');
    assert.equal((await browser.submit(`${PAGE}/link`)).status, 400);
    const pending = await createBrowser(service);
    await signIn(second, pending);
    await signIn(person, browser);
    const name = findSessionCookie(browser);
    pending.cookies.set(name, browser.cookies.get(name)!);
    assert.equal(getHeading(await pending.get(PAGE)), 'Sign in with Upstream from now on?');
    assert.equal(await countIdentities(database(), user.id), 1, 'opening the page links nothing');
    assert.equal((await pending.submit(`${PAGE}/link`)).headers.get('location'), '/account');
    assert.equal(await countIdentities(database(), user.id), 2);
  });

  test('a person who is signed in links an identity, but not that of another user, and not by a link of another page', async () => {
    const user = await register(service);
    const person = newPerson();
    const { browser } = await signIn(person);
    const { id } = await findOnlyUser(person.email);
    const link = async (other: Person) => {
      const begun = await browser.submit(`/sign-in/with/${provider.id}?return_to=/account`);
      const query = issuer.authorize(begun.headers.get('refresh')!.replace('0; url=', ''), other);
      return browser.get(`/sign-in/callback/${provider.id}?${query}`);
    };
    const another = newPerson({ email: user.email, sub: 'linked-while-signed-in' });
    assert.equal((await link(another)).headers.get('location'), '/account');
    assert.equal(await countIdentities(database(), id), 2);
    assert.equal(await countIdentities(database(), user.id), 0);
    const taken = newPerson();
    await signIn(taken);
    const refused = await link(taken);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /is linked to another account here/);
    const foreign = await service.api.request('POST', `/sign-in/with/${provider.id}`, {
      raw: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-site' },
    });
    assert.equal(foreign.status, 403);
    await browser.submit('/sign-out');
    const late = await browser.submit(`/sign-in/with/${provider.id}?return_to=/account`);
    assert.equal(late.status, 401);
    assert.match(late.text, /You are signed out[\s\S]*it may not be saved[\s\S]*href="\/sign-in\?/);
  });

  test('two callbacks at once for one new identity create one account, and both sign in', async () => {
    const person = newPerson();
    const browsers = Array.from({ length: 4 }, () => createBrowser(service));
    const queries: string[] = [];
    for (const browser of browsers) queries.push(issuer.authorize(await browser.begin(provider.id), person));
    const responses = await Promise.all(
      browsers.map((browser, index) => browser.get(`/sign-in/callback/${provider.id}?${queries[index]}`)),
    );
    for (const [index, response] of responses.entries()) assertSignedIn(browsers[index]!, response);
    const { id } = await findOnlyUser(person.email);
    assert.equal(await countIdentities(database(), id), 1);
  });

  test('a callback beside a registration leaves one account, which is never linked silently', async () => {
    for (let round = 0; round < 4; round++) {
      const data = newUserData();
      const person = toPerson(data);
      const browser = createBrowser(service);
      const query = issuer.authorize(await browser.begin(provider.id), person);
      const [registered, response] = await Promise.all([
        service.api.post('/api/register', data),
        browser.get(`/sign-in/callback/${provider.id}?${query}`),
      ]);
      const { id } = await findOnlyUser(data.email);
      const isRegistered = registered.status === 201;
      assert.equal(response.headers.get('location'), isRegistered ? PAGE : '/account', response.text);
      assert.equal(await countIdentities(database(), id), isRegistered ? 0 : 1);
    }
  });

  test('parallel answers of one question link once', async () => {
    const user = await register(service);
    const { browser } = await ask(toPerson(user), 'Is this your account?');
    const responses = await Promise.all([
      browser.submit(`${PAGE}/not-mine`),
      browser.submit(`${PAGE}/not-mine`),
      browser.submit(`${PAGE}/password`, { current_password: user.password }),
    ]);
    // Both presses of one form start the same session.
    const sessions = responses.flatMap(({ headers }) => headers.getSetCookie());
    assert.equal(new Set(sessions).size, 1);
    const { id } = await findOnlyUser(user.email);
    assert.equal(id === user.id, responses[2]!.status === 303, 'only the password keeps the account');
    assert.equal(await countIdentities(database(), id), 1);
  });

  if (engine === 'postgres') return;

  test('a HEAD request for the callback is rejected and leaves the sign-in to the GET request', async () => {
    const person = newPerson();
    const browser = createBrowser(service);
    const query = issuer.authorize(await browser.begin(provider.id), person);
    const url = `/sign-in/callback/${provider.id}?${query}`;
    const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    assert.equal((await service.api.request('HEAD', url, { headers })).status, 405);
    assert.deepEqual(await listUsers(person.email), []);
    assertSignedIn(browser, await browser.get(url));
  });

  test('a person without a name has the first letter of the email as mark on the sign-in page', async () => {
    const { browser } = await signIn(newPerson({ name: undefined, email: `x-${newUserData().email}` }));
    const { text } = await browser.get('/sign-in');
    assert.match(text, /<span class="mark" aria-hidden="true">X<\/span> <p>x-/);
  });

  test('without PUBLIC_URL the redirect URI has the origin of the request, on this machine only', async () => {
    const path = '/api/v1/identity-providers';
    const { body } = await service.api.get(`${path}/${provider.id}`, editor);
    assert.equal(body.data.redirect_uri, `${service.api.url}/sign-in/callback/${provider.id}`);
    for (const url of [path, `${path}/${provider.id}`, `/sign-in/with/${provider.id}`]) {
      const request = rawRequest('GET', url, [`Authorization: Bearer ${ADMIN_TOKEN}`]).toString();
      const foreign = request.replace('Host: localhost', 'Host: evil.example');
      const { status, text } = await sendRawOnce(service.api.url, foreign);
      assert.equal(status, 403, text);
      assert.doesNotMatch(text, /evil\.example|create an account/);
    }
  });

  test('an account without a password is not asked for one', async () => {
    const person = newPerson();
    await signIn(person);
    const again = newPerson({ email: person.email });
    const { page, browser } = await ask(again, 'You have an account already');
    assert.doesNotMatch(page.text, /current_password/);
    assert.match(page.text, /<button class="primary">Send a code by email/);
    await browser.submit(`${PAGE}/mail-code`);
    assert.doesNotMatch((await browser.get(PAGE)).text, /current_password/);
    const withPassword = await register(service);
    await markEmailVerified(service, withPassword.id);
    const asked = await ask(toPerson(withPassword), 'You have an account already');
    assert.match(asked.page.text, /current_password/);
  });

  test('three codes are mailed for one sign-in at most', async () => {
    const person = newPerson({ email_verified: false });
    const { browser } = await ask(person, 'Check your email');
    for (let count = 0; count < 4; count++) {
      await browser.submit(`${PAGE}/code`, { mail_code: 'AAAA-AAAA' });
      await browser.submit(`${PAGE}/mail-code`);
    }
    assert.deepEqual(await waitingKinds(service, String(person.email)), Array(3).fill('sign_in_code'));
  });

  test('an unverified email of an unclaimed account gets the message with the link of the claim', async () => {
    const user = await createUnclaimedUser(service);
    const waiting = await waitingKinds(service, user.email);
    await ask(toPerson(user, { email_verified: false }), 'Check your email');
    assert.deepEqual(await waitingKinds(service, user.email), [...waiting, 'claim_account']);
    assert.equal((await getUser(user.id)).state, 'unclaimed');
  });

  test('a verified email does not claim an account with a role: its mailbox gets the link of the claim', async () => {
    const user = await createUnclaimedUser(service);
    const headers = { 'if-match': '*' };
    const body = { role: 'auditor' };
    const given = await service.api.request('PATCH', `/api/v1/users/${user.id}`, {
      ...editor,
      body,
      headers,
    });
    assert.equal(given.status, 200, given.text);
    const waiting = await waitingKinds(service, user.email);
    await ask(toPerson(user), 'Check your email');
    assert.deepEqual(await waitingKinds(service, user.email), [...waiting, 'claim_account']);
    assert.equal((await getUser(user.id)).state, 'unclaimed');
  });

  for (const email_verified of [true, false])
    test(`a person with a role whose address was never verified gets in by one mailed code (verified by the provider: ${email_verified})`, async () => {
      const { id, email, token, password } = await register(service);
      const body = { role: 'auditor' };
      const given = await service.api.request('PATCH', `/api/v1/users/${id}`, { ...editor, body });
      assert.equal(given.status, 200, given.text);
      await service.api.post('/api/v1/password-resets', { email });
      const person = toPerson({ email }, { email_verified });
      const { browser } = await ask(person, 'Check your email');
      assertSignedIn(browser, await browser.submit(`${PAGE}/code`, { mail_code: await readCode(email) }));
      const user = await getUser(id);
      assert.equal(user.role, 'auditor');
      assert.notEqual(user.email_verified_at, null);
      assert.equal((await service.api.get('/api/v1/me', { token })).status, 401, 'of others, maybe');
      assert.equal((await logIn(service, { email, password })).status, 401);
      assert.ok(!(await waitingKinds(service, email)).includes('reset_password'));
      await assertLinked(person, id);
    });

  test('a mailed code does not replace the second factor of a person with a role', async () => {
    const { id, email } = await register(service);
    await service.api.request('PATCH', `/api/v1/users/${id}`, { ...editor, body: { role: 'auditor' } });
    await database().transaction((tx) => enableTotp(tx, id));
    const { browser } = await ask(toPerson({ email }), 'Check your email');
    const confirmed = await browser.submit(`${PAGE}/code`, { mail_code: await readCode(email) });
    assert.match(confirmed.headers.get('location')!, /^\/sign-in\/second-factor/);
    assert.equal(browser.hasSession(), false);
  });

  test('pages for an unverified email are the same with any account or none, but for the address', async () => {
    const verified = await register(service);
    await markEmailVerified(service, verified.id);
    const others = [await register(service), verified, await createUnclaimedUser(service)];
    const show = async (person: Person) =>
      (await ask(person, 'Check your email')).page.text.replaceAll(String(person.email), 'EMAIL');
    const expected = await show(newPerson({ email_verified: false }));
    for (const other of others)
      assert.equal(await show(toPerson(other, { email_verified: false })), expected);
  });

  test('an account whose address was never verified, and an unverified email: the code first, then the question', async () => {
    const user = await register(service);
    const { browser } = await ask(toPerson(user, { email_verified: false }), 'Check your email');
    assert.equal((await browser.submit(`${PAGE}/not-mine`)).status, 400);
    assert.equal((await browser.submit(`${PAGE}/password`, { current_password: user.password })).status, 400);
    const confirmed = await browser.submit(`${PAGE}/code`, { mail_code: await readCode(user.email) });
    assert.equal(confirmed.headers.get('location'), PAGE);
    assert.equal(getHeading(await browser.get(PAGE)), 'Is this your account?');
    assertSignedIn(browser, await browser.submit(`${PAGE}/password`, { current_password: user.password }));
  });

  test('a disabled account is refused with a page, verified or not, and linked or not', async () => {
    const linked = newPerson();
    await signIn(linked);
    const linkedUser = await findOnlyUser(linked.email);
    const other = await register(service);
    for (const { id } of [linkedUser, other])
      assert.equal(
        (await service.api.patch(`/api/v1/users/${id}`, { state: 'disabled' }, editor)).status,
        200,
      );
    for (const person of [linked, toPerson(other), toPerson(other, { email_verified: false })]) {
      const { browser, response } = await signIn(person);
      assert.equal(response.status, 400);
      assert.equal(getHeading(response), 'You cannot sign in with Upstream');
      assert.equal(browser.hasSession(), false);
    }
  });

  test('a sign-in, a password and a code without the second factor start no session and link nothing', async () => {
    const linked = newPerson();
    await signIn(linked);
    const { id } = await findOnlyUser(linked.email);
    await database().transaction((tx) => enableTotp(tx, id));
    const first = await signIn(linked);
    const [, step] = /^\/sign-in\/second-factor\?step=(\w{8})$/.exec(first.location!)!;
    const name = first.browser.cookies
      .keys()
      .find((name) => name.startsWith(`frontdesk-challenge-${step}-`))!;
    assert.match(first.browser.cookies.get(name)!, /^[0-9A-Za-z]{43}$/);
    assert.equal(first.browser.hasSession(), false);

    const user = await register(service);
    await markEmailVerified(service, user.id);
    await database().transaction((tx) => enableTotp(tx, user.id));
    const { browser } = await ask(toPerson(user), 'You have an account already');
    await browser.submit(`${PAGE}/mail-code`);
    for (const [step, fields] of [
      ['password', { current_password: user.password }],
      ['code', { mail_code: await readCode(user.email) }],
    ] as const) {
      const response = await browser.submit(`${PAGE}/${step}`, fields);
      const expected = `/sign-in/second-factor?return_to=${encodeURIComponent(PAGE)}&step=`;
      assert.ok(response.headers.get('location')!.startsWith(expected));
      assert.equal(browser.hasSession(), false);
    }
    assert.equal(await countIdentities(database(), user.id), 0);
  });

  test('wrong passwords of the question lock out as those of the login do', async (context) => {
    const limits = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_LOGIN_ACCOUNT: '3/3600' };
    // The provider dates its tokens by the real time.
    const running = { ...limited({ ...LOOPBACK_ALLOWED, ...limits }), stopsServerClock: false };
    const strict = await openService(context, engine, running);
    const user = await register(strict);
    const browser = createBrowser(strict);
    const asked = await browser.signIn(issuer, (await addProvider(strict, issuer)).id, toPerson(user));
    assert.equal(asked.status, 303, asked.text);
    const submit = (current_password: string) => browser.submit(`${PAGE}/password`, { current_password });
    for (const status of [401, 401, 401, 429])
      assert.equal((await submit('a wrong password')).status, status);
    assert.equal((await submit(user.password)).status, 429);
    assert.equal((await logIn(strict, user)).status, 429);
  });

  test('the page of a question lets its forms be redirected to the application of the sign-in, which follows', async () => {
    const redirect_uri = 'https://orders.example.org/callback';
    const application = { name: 'Orders', kind: 'web', redirect_uris: [redirect_uri] };
    const { body } = await service.api.post('/api/v1/applications', application, editor);
    const returnTo = `/oauth/authorize?${new URLSearchParams({ client_id: body.data.id, redirect_uri })}`;
    const user = await register(service);
    const browser = createBrowser(service);
    const query = issuer.authorize(await browser.begin(provider.id, returnTo), toPerson(user));
    const response = await browser.get(`/sign-in/callback/${provider.id}?${query}`);
    const page = await browser.get(response.headers.get('location')!);
    assert.match(
      page.headers.get('content-security-policy')!,
      /form-action 'self' https:\/\/orders\.example\.org;/,
    );
    const [, action] = /action="([^"]+password[^"]*)"/.exec(page.text)!;
    const fields = { current_password: user.password };
    assertSignedIn(browser, await browser.submit(action!.replaceAll('&amp;', '&'), fields), returnTo);
  });

  test('a sign-in leads to the page that it was begun for, and never to another site', async () => {
    for (const [returnTo, expected] of [
      ['/account/devices', '/account/devices'],
      ['//evil.example/account', '/account'],
    ] as const) {
      const browser = createBrowser(service);
      const query = issuer.authorize(await browser.begin(provider.id, returnTo), newPerson());
      assertSignedIn(browser, await browser.get(`/sign-in/callback/${provider.id}?${query}`), expected);
    }
  });
});
