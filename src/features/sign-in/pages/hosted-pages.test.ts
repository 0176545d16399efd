import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORM_TYPE, getHeading, POLICY } from '../../../../test/support/browser/account-pages.ts';
import { limited, manualClock } from '../../../../test/support/limits.ts';
import { createTestLink, listEvents, waitingKinds } from '../../../../test/support/processes/recovery.ts';
import { routes } from '../../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import {
  admin,
  newUserData,
  openService,
  useService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { codeAt, STEP_MS, wrongCodeAt } from '../../../../test/support/totp.ts';
import { startIssuer } from '../../../../test/support/upstream/issuer.ts';
import {
  addProvider,
  createBrowser,
  LOOPBACK_ALLOWED,
  type TestBrowser,
} from '../../../../test/support/upstream/sign-in.ts';
import { registerWithTotp } from '../../../../test/support/user-totp.ts';
import { register } from '../../../../test/support/users.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, MINUTE } from '../../../lib/time.ts';

const off = ['LOGIN', 'REGISTER', 'REGISTER_HOUR', 'ANON', 'DOCUMENTS', 'PASSWORD_RESET'];
const unlimited = limited(Object.fromEntries(off.map((name) => [`RATE_LIMIT_${name}`, 'off'])));
const RETURN = 'return_to=%2Faccount%2Ftwo-step';
const NEW = 'paper lantern under the bridge';

describeOnSqlite('the forms of pages', (engine) => {
  const service = useService(engine, unlimited);
  const isForm = ({ method, path }: (typeof routes)[number]) =>
    method === 'POST' && !path.startsWith('/api/') && !path.startsWith('/oauth/');
  const paths = routes.filter(isForm).map(({ path }) => path.replace(/:\w+/, newId()));

  test('a form that is sent empty, without a page and its cookie before it, is rejected without an error in the log', async () => {
    assert.ok(paths.includes('/sign-in/identity/code'));
    for (const path of paths) {
      const { status } = await createBrowser(service).submit(path);
      assert.ok(status < 500, `${path}: ${status}`);
    }
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) > 30),
      [],
    );
  });
});

describeOnSqlite('hosted pages', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { ...unlimited, clock });

  /** Signs a new person in. */
  async function signIn(person?: { email: string; password: string; id: string }) {
    const signedIn = person ?? (await register(service));
    const browser = createBrowser(service);
    const fields = { email: signedIn.email, current_password: signedIn.password };
    const response = await browser.submit('/sign-in', fields);
    assert.equal(response.status, 303, response.text);
    return { ...signedIn, browser, response };
  }

  test('a person signs in with the password, and is led to where they wanted to go', async () => {
    const person = await register(service);
    const browser = createBrowser(service);
    const path = '/sign-in?return_to=%2Faccount%23devices';
    const shown = await browser.get(path);
    assert.deepEqual([shown.status, getHeading(shown)], [200, 'Sign in']);
    assert.equal(shown.headers.get('content-security-policy'), POLICY);
    const fields = { email: person.email, current_password: person.password };
    const { status, headers } = await browser.submit(path, fields);
    assert.deepEqual([status, headers.get('location')], [303, '/account']);
    assert.equal(browser.hasSession(), true);
    const account = await browser.get('/account');
    assert.equal(getHeading(account), 'Your account');
    assert.ok(account.text.includes(person.email));
    const elsewhere = await browser.submit('/sign-in?return_to=https://evil.example/', fields);
    assert.equal(elsewhere.headers.get('location'), '/account');
  });

  test('the page after a failed sign-in is the same for known and unknown addresses but for the address, and keeps no password', async () => {
    const { email } = await register(service);
    const unknown = newUserData().email;
    const pages = [email, unknown].map(async (address) => {
      const fields = { email: address, current_password: 'wrong password' };
      const { status, text } = await createBrowser(service).submit('/sign-in', fields);
      assert.equal(text.includes('wrong password'), false);
      return [status, text.replaceAll(address, '')];
    });
    const [known, other] = await Promise.all(pages);
    assert.deepEqual(known, other);
    assert.equal(known![0], 401);
    assert.match(String(known![1]), /<title>Error: .*Email or password is wrong/s);
  });

  test('the pages after signing up are the same for new and known addresses, and only a new one gets an account', async () => {
    const { email, name } = await register(service);
    const unknown = newUserData().email;
    const submit = async (address: string) => {
      const browser = createBrowser(service);
      const { status, headers } = await browser.submit('/sign-up', { name, email: address, password: NEW });
      assert.equal(browser.hasSession(), false);
      return [status, headers.get('location'), (await browser.get('/sign-up/done')).text];
    };
    assert.deepEqual(await submit(email), await submit(unknown));
    assert.ok((await waitingKinds(service, unknown)).includes('verify_email'));
    assert.equal((await service.api.post('/api/login', { email, password: NEW })).status, 401);
    await signIn({ email: unknown, password: NEW, id: '' });
  });

  test('a form to sign up is shown again with the errors of its fields', async () => {
    const { status, text } = await createBrowser(service).submit('/sign-up', {
      name: '',
      email: 'ada@',
      password: 'x',
    });
    assert.equal(status, 400);
    for (const field of ['name', 'email', 'password'])
      assert.ok(text.includes(`href="#sign-up-${field}"`), field);
    assert.ok(text.includes('value="ada@"'));
    const long = { ...newUserData(), name: 'A'.repeat(256), password: NEW };
    const rejected = await createBrowser(service).submit('/sign-up', long);
    assert.match(rejected.text, /Enter a name of at most 255 characters\./);
  });

  test('the own account names sessions and tokens of logins in the language of the page', async () => {
    const { email, password } = await register(service);
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
    const headers = { 'user-agent': agent, 'sec-fetch-site': 'same-origin' };
    const { status } = await service.api.post('/api/v1/login', { email, password }, { headers });
    assert.equal(status, 200);
    const raw = new URLSearchParams({ email, current_password: password }).toString();
    const form = { raw, headers: { ...headers, 'content-type': FORM_TYPE } };
    const [cookie] = (await service.api.request('POST', '/sign-in', form)).headers.getSetCookie();
    const open = async (lang: string) =>
      (await service.api.get(`/account?lang=${lang}`, { headers: { cookie: cookie!.split(';')[0]! } })).text;
    const [english, german] = [await open('en'), await open('de')];
    for (const [text, device, program] of [
      [english, 'Firefox on Linux', 'A program'],
      [german, 'Firefox unter Linux', 'Ein Programm'],
    ] as const) {
      assert.equal(text.split(device).length - 1, 2, text);
      assert.ok(text.includes(program));
      assert.doesNotMatch(text, /auth_token/);
    }
  });

  test('a person with a second factor gets a session after a code only, and not after a wrong one', async () => {
    const person = await registerWithTotp(service, clock.now);
    clock.now += STEP_MS;
    const { browser, response } = await signIn(person);
    const step = response.headers.get('location')!;
    assert.match(step, /^\/sign-in\/second-factor\?step=\w{8}$/);
    assert.equal(browser.hasSession(), false);
    assert.equal(getHeading(await browser.get('/sign-in/second-factor')), 'This sign-in has expired');
    assert.equal(getHeading(await browser.get(step)), 'Enter the code of your app');
    const wrong = await browser.submit(step, { code: wrongCodeAt(person.appSecret, clock.now) });
    assert.deepEqual([wrong.status, browser.hasSession()], [401, false]);
    assert.match(wrong.text, /This code is not right/);
    // As phones and people write it.
    const typed = codeAt(person.appSecret, clock.now).replace(/^.../, '$& \u2013 ').replace('1', '\uff11');
    const right = await browser.submit(`${step}&return_to=/account`, { code: typed });
    assert.deepEqual([right.status, browser.hasSession()], [303, true]);
    assert.equal((await browser.get(step)).headers.get('location'), '/account');
    clock.now += 5 * 60_000;
    assert.equal(getHeading(await browser.get(step)), 'This sign-in has expired');
  });

  test('two people at the second step in two tabs of one browser each sign in', async () => {
    const people = [await registerWithTotp(service, clock.now), await registerWithTotp(service, clock.now)];
    clock.now += STEP_MS;
    const browser = createBrowser(service);
    const steps: string[] = [];
    for (const { email, password } of people) {
      const response = await browser.submit('/sign-in', { email, current_password: password });
      steps.push(response.headers.get('location')!);
    }
    for (const [index, { appSecret, email }] of people.entries()) {
      const sent = await browser.submit(steps[index]!, { code: codeAt(appSecret, clock.now) });
      assert.equal(sent.status, 303, sent.text);
      assert.ok((await browser.get('/account')).text.includes(email));
    }
  });

  test('a form that a page of another origin has sent is rejected on every hosted page', async () => {
    const { browser, email, password } = await signIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const raw = new URLSearchParams({
      email,
      current_password: password,
      password: NEW,
      name: 'x',
      code: '1',
    }).toString();
    const paths = [
      '/sign-in',
      '/sign-up',
      '/sign-out',
      '/sign-in/second-factor',
      '/account/delete',
      '/account/password',
    ];
    for (const path of paths)
      for (const site of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]) {
        const headers = { cookie, 'content-type': FORM_TYPE, ...site };
        assert.equal((await service.api.request('POST', path, { raw, headers })).status, 403, path);
      }
    assert.equal((await browser.get('/account')).status, 200);
  });

  test('a person signs out, which ends the session, and the account leads to the sign-in', async () => {
    const { browser, id } = await signIn();
    assert.equal(getHeading(await browser.get('/sign-out')), 'Sign out?');
    assert.equal((await browser.submit('/sign-out')).status, 303);
    assert.equal(browser.hasSession(), false);
    assert.equal(getHeading(await browser.get('/sign-out')), 'You are signed out');
    const { status, headers } = await browser.get('/account');
    assert.deepEqual([status, headers.get('location')], [303, '/sign-in?return_to=/account']);
    assert.ok((await listEvents(service, id)).includes('session.ended by user'));
  });

  test('a form that is sent after the session has ended says that it may not be saved', async () => {
    const { browser } = await signIn();
    await browser.submit('/sign-out');
    for (const [name, status] of [
      ['Grace', 401],
      ['', 400],
    ] as const) {
      const sent = await browser.submit('/account/profile', { name });
      assert.deepEqual([sent.status, getHeading(sent)], [status, 'You are signed out']);
      assert.match(sent.text, /it may not be saved/);
      assert.match(sent.text, /href="\/sign-in"/);
    }
  });

  test('a person changes name, address and password; other sessions end, this one goes on', async () => {
    const { browser, ...person } = await signIn();
    const other = await signIn(person);
    const name = await browser.submit('/account/profile', { name: 'Grace' });
    assert.equal(name.headers.get('location'), '/account?done=saved');
    const email = newUserData().email;
    const wrong = await browser.submit('/account/email', { email, current_password: 'wrong' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /<details open>/);
    const mailed = await browser.submit('/account/email', { email, current_password: person.password });
    assert.equal(mailed.headers.get('location'), '/account?done=mailed');
    assert.ok((await waitingKinds(service, email)).includes('change_email'));
    const fields = { current_password: person.password, password: NEW };
    const form = (
      await browser.get((await browser.get('/.well-known/change-password')).headers.get('location')!)
    ).text;
    assert.match(form, /autocomplete="username" value="[^"]+@[^"]+" readonly>/);
    assert.equal((await browser.submit('/account/password', fields)).status, 303);
    assert.match((await browser.get('/account')).text, /value="Grace"/);
    assert.equal((await other.browser.get('/account')).status, 303);
    const events = await listEvents(service, person.id);
    for (const type of ['user.updated', 'password.changed'])
      assert.ok(events.includes(`${type} by user`), type);
  });

  test('a new address waits in the account, the same whether or not it is taken, until its link is opened, the request is cancelled, or a day has passed', async () => {
    const { email: taken } = await register(service);
    const { browser, ...person } = await signIn();
    const showWaiting = async (shown = browser) =>
      /<bdi>([^<]+)<\/bdi><\/strong> <span class="badge warn">Waiting</.exec(
        (await shown.get('/account')).text,
      )?.[1];
    const request = (email: string) =>
      browser.submit('/account/email', { email, current_password: person.password });
    const open = async (email: string) => {
      const token = await createTestLink(service, 'change_email', {
        user: { ...person, email },
        now: clock(),
      });
      return (await browser.submit(`/account/change-email/${token}`)).status;
    };
    await request(taken);
    assert.equal(await showWaiting(), taken);
    const email = newUserData().email;
    await request(email);
    assert.equal(await showWaiting(), email);
    clock.now += MINUTE;
    const sent = await browser.submit('/account/email/send-again');
    assert.equal(sent.headers.get('location'), '/account?done=mailed');
    assert.deepEqual(await waitingKinds(service, email), ['change_email']);
    const link = await createTestLink(service, 'change_email', { user: { ...person, email }, now: clock() });
    await browser.submit('/account/email/cancel');
    assert.equal(await showWaiting(), undefined);
    assert.deepEqual(await waitingKinds(service, email), []);
    assert.equal((await browser.submit(`/account/change-email/${link}`)).status, 404);
    await request(email);
    clock.now += DAY - 1;
    const { browser: again } = await signIn(person);
    assert.equal(await showWaiting(again), email);
    clock.now += 1;
    assert.equal(await showWaiting(again), undefined);
    await again.submit('/account/email', { email, current_password: person.password });
    assert.equal(await open(email), 303);
    assert.equal(await showWaiting(again), undefined);
  });

  test('the sixth message to new addresses within an hour is refused, also by "Send again"', async () => {
    const { browser, password } = await signIn();
    await browser.submit('/account/email', { email: newUserData().email, current_password: password });
    const send = () => browser.submit('/account/email/send-again');
    for (let count = 1; count <= 5; count++) {
      clock.now += MINUTE;
      assert.equal((await send()).status, count < 5 ? 303 : 429, `${count}`);
    }
    assert.match((await send()).text, /<h1>Your account/);
  });

  test('times of the account are of UTC, and can be shown in the zone of the reader', async () => {
    const { browser } = await signIn();
    const { text } = await browser.get('/account');
    assert.match(
      text,
      new RegExp(`Used on <time datetime="${new Date(clock.now).toISOString()}">[^<]+UTC</time>`),
    );
  });

  /** Begins to set an app up. Returns its secret. */
  async function beginSetUp(browser: TestBrowser, password: string) {
    const begun = await browser.submit('/account/two-step', { current_password: password });
    assert.deepEqual([begun.status, begun.headers.get('location')], [303, '/account/two-step']);
    return readSecret((await browser.get('/account/two-step')).text);
  }
  const readSecret = (text: string) =>
    /(?<=<code>)[A-Z2-7 ]+(?=<\/code>)/.exec(text)?.[0].replaceAll(' ', '') ?? '';
  const readCodes = (text: string) =>
    [...text.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code]) => code!);

  test('a person turns two-step sign-in on by a QR code, and off', async () => {
    const { browser, password, id } = await signIn();
    const secret = await beginSetUp(browser, password);
    assert.notEqual(secret, '');
    const confirm = { code: codeAt(secret, clock.now) };
    const confirmed = await browser.submit('/account/two-step/confirm', confirm);
    assert.equal(confirmed.headers.get('location'), '/account/two-step/codes');
    assert.match((await browser.get('/account')).text, /On since/);
    assert.equal((await browser.get('/account/two-step')).headers.get('location'), '/account');
    const [code] = readCodes((await browser.get('/account/two-step/codes')).text);
    const fields = { current_password: password, code: code! };
    assert.equal((await browser.submit('/account/two-step/off', fields)).status, 303);
    const events = await listEvents(service, id);
    for (const type of ['totp.enabled', 'totp.disabled']) assert.ok(events.includes(`${type} by user`), type);
  });

  test('the page that sets an authenticator app up shows the same secret when it is reloaded, begun again and after a wrong code, for 15 minutes, to its session only', async () => {
    const { browser, ...person } = await signIn();
    const secret = await beginSetUp(browser, person.password);
    assert.equal(await beginSetUp(browser, person.password), secret);
    const code = wrongCodeAt(secret, clock.now);
    const wrong = await browser.submit('/account/two-step/confirm', { code });
    assert.deepEqual([wrong.status, readSecret(wrong.text)], [400, secret]);
    assert.match(wrong.text, /<svg[^>]*viewBox/);
    assert.match(wrong.text, /autocomplete="one-time-code" inputmode="numeric"/);
    const other = await signIn(person);
    const path = '/account/two-step';
    assert.equal((await other.browser.get(path)).headers.get('location'), '/account');
    const elsewhere = await beginSetUp(other.browser, person.password);
    assert.notEqual(elsewhere, secret);
    assert.equal((await browser.get(path)).headers.get('location'), '/account', 'the newer secret counts');
    clock.now += 15 * MINUTE - 1;
    assert.equal(readSecret((await other.browser.get(path)).text), elsewhere);
    clock.now += 1;
    assert.equal((await other.browser.get(path)).headers.get('location'), '/account');
    assert.equal((await createBrowser(service).get(path)).headers.get('location'), `/sign-in?${RETURN}`);
  });

  test('recovery codes are shown and can be downloaded for five minutes, until the session has saved them, and by no other session', async () => {
    const { browser, ...person } = await signIn();
    const other = await signIn(person);
    const secret = await beginSetUp(browser, person.password);
    await browser.submit('/account/two-step/confirm', { code: codeAt(secret, clock.now) });
    const path = '/account/two-step/codes';
    const show = async (shown = browser) => readCodes((await shown.get(path)).text);
    const codes = await show();
    assert.equal(new Set(codes).size, 10);
    assert.deepEqual(await show(), codes);
    const file = await browser.get(`${path}/download`);
    assert.equal(file.text, codes.map((code) => `${code}\r\n`).join(''));
    assert.match(file.headers.get('content-disposition')!, /^attachment; filename="recovery-codes.txt"/);
    assert.equal(file.headers.get('cache-control'), 'no-store');
    assert.match((await browser.get('/account')).text, /href="\/account\/two-step\/codes"/);
    assert.deepEqual(await show(other.browser), []);
    assert.equal((await other.browser.get(`${path}/download`)).headers.get('location'), '/account');
    assert.equal((await browser.submit(`${path}/saved`)).status, 303);
    assert.deepEqual(await show(), []);

    const renew = { current_password: person.password, code: codes[0]! };
    assert.equal((await browser.submit(path, renew)).headers.get('location'), path);
    const renewed = await show();
    assert.deepEqual([renewed.length, renewed.includes(codes[1]!)], [10, false]);
    clock.now += 5 * MINUTE - 1;
    assert.deepEqual(await show(), renewed);
    clock.now += 1;
    assert.deepEqual(await show(), []);
  });

  test('a person ends another session and a token, downloads the data, and deletes the account', async () => {
    const { browser, ...person } = await signIn();
    const other = await signIn(person);
    const account = (await browser.get('/account')).text;
    for (const [path] of account.matchAll(/\/account\/(?:sessions|tokens)\/[\w-]+\/(?:end|revoke)/g))
      assert.equal((await browser.submit(path)).status, 303, path);
    assert.equal((await other.browser.get('/account')).status, 303);
    const data = await browser.get('/account/export');
    assert.equal(data.body.user.email, person.email);
    assert.deepEqual([data.body.tokens, data.headers.get('cache-control')], [[], 'no-store']);
    assert.match(data.headers.get('content-disposition')!, /^attachment/);
    assert.equal((await browser.submit('/account/delete', { current_password: 'wrong' })).status, 400);
    const deleted = await browser.submit('/account/delete', { current_password: person.password });
    assert.deepEqual([getHeading(deleted), browser.hasSession()], ['Your account is deleted', false]);
    assert.equal((await service.api.get(`/api/v1/users/${person.id}`, admin)).status, 404);
  });

  test('hosted pages name their languages, and keep the chosen one and where the sign-in leads', async () => {
    const { text } = await service.api.get('/sign-in?return_to=%2Faccount');
    assert.match(text, /<a href="\?return_to=%2Faccount&amp;lang=de" lang="de" hreflang="de">Deutsch<\/a>/);
    const german = await service.api.get('/sign-in?return_to=%2Faccount&lang=de');
    assert.match(german.text, /<html lang="de".*action="\/sign-in\?return_to=%2Faccount&amp;lang=de"/s);
  });
});

describeOnSqlite('closed hosted pages', (engine) => {
  const closed = useService(engine, { environment: { HOSTED_PAGES: 'off' } });
  const invited = useService(engine, { environment: { REGISTRATION: 'closed' } });

  test('with HOSTED_PAGES=off there are no pages of sign-in and account, but those of links', async () => {
    const paths = [
      '/sign-in',
      '/sign-up',
      '/sign-out',
      '/account',
      '/sign-in/second-factor',
      '/sign-in/identity',
      `/sign-in/with/${newId()}`,
      `/sign-in/callback/${newId()}`,
    ];
    for (const path of paths) assert.equal((await closed.api.get(path)).status, 404, path);
    assert.equal((await createBrowser(closed).submit('/sign-in')).status, 404);
    assert.equal((await closed.api.get('/account/reset-password')).status, 200);
  });

  test('with PASSWORD_SIGN_IN=off the pages accept no password, and /sign-in leads to the only provider, but an error never does', async (context) => {
    const issuer = await startIssuer();
    context.after(() => issuer.close());
    const environment = { ...LOOPBACK_ALLOWED, PASSWORD_SIGN_IN: 'off' };
    const service = await openService(context, engine, { environment });
    const browser = createBrowser(service);
    const { email, password } = await register(service);
    const fields = { email, current_password: password };
    assert.equal((await browser.submit('/sign-in', fields)).status, 404);
    assert.equal((await browser.submit('/sign-up', { ...newUserData() })).status, 403);
    const { id } = await addProvider(service, issuer);
    const path = '/sign-in?return_to=%2Faccount%2Fexport';
    const led = await browser.get(path);
    assert.deepEqual(
      [led.status, led.headers.get('location')],
      [303, `/sign-in/with/${id}?return_to=%2Faccount%2Fexport`],
    );
    issuer.behaviour = { metadata: (all) => ({ ...all, issuer: 'https://evil.example' }) };
    const failed = await browser.get(led.headers.get('location')!);
    assert.deepEqual([failed.status, failed.headers.get('refresh')], [400, null]);
    issuer.behaviour = {};
    const person = { sub: 'only', email: newUserData().email, email_verified: true };
    assert.equal((await browser.signIn(issuer, id, person)).status, 303);
    assert.equal((await browser.get('/sign-in')).status, 200, 'a person who is signed in is asked');
    await addProvider(service, issuer, { name: 'Second' });
    const { status, text } = await createBrowser(service).get(path);
    assert.equal(status, 200);
    assert.match(text, /Continue with Second/);
    assert.doesNotMatch(text, /<form|reset-password|\/sign-up/);
    const login = await service.api.post('/api/login', { email, password });
    assert.equal(login.status, 200, 'the API does not change');
  });

  test('where registration is closed, the page to sign up says so, and none leads to it', async () => {
    const { status, text } = await invited.api.get('/sign-up');
    assert.equal(status, 403);
    assert.match(text, /Nobody can create an account here/);
    assert.equal((await invited.api.get('/sign-in')).text.includes('/sign-up'), false);
  });
});

describeOnSqlite('pages that follow a request for a message', (engine) => {
  const offline = useSharedService(engine);
  const delivering = useService(engine, { environment: { MAIL_TO_LOG: 'true' } });
  for (const path of ['/sign-up/done', '/account/link-requested', '/account?done=mailed'])
    test(`the page ${path} says that a message is on its way only if one can be sent`, async () => {
      const read = async (service: typeof offline) => {
        const { email, password } = await register(service);
        const browser = createBrowser(service);
        await browser.submit('/sign-in', { email, current_password: password });
        return (await browser.get(path)).text;
      };
      const [off, on] = [await read(offline), await read(delivering)];
      assert.match(off, /No mail server is connected to this service/);
      assert.doesNotMatch(off, /is on its way|Check your email/);
      assert.match(on, /is on its way/);
      assert.doesNotMatch(on, /No mail server/);
    });
});
