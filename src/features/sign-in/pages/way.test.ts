import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  REDIRECT_URI,
} from '../../../../test/support/applications.ts';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import { createWay } from '../../../../test/support/browser/way.ts';
import { limited } from '../../../../test/support/limits.ts';
import { createTestLink, waitingMail } from '../../../../test/support/processes/recovery.ts';
import { rawRequest, sendRawOnce } from '../../../../test/support/raw-http.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, type TestService, useService } from '../../../../test/support/service.ts';
import { createBrowser, LOOPBACK_ALLOWED, useProvider } from '../../../../test/support/upstream/sign-in.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { isPlainHttp } from '../../../lib/routes/routes.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import { LINK_KINDS } from '../../mail/links/queries.ts';
import { toEnd } from '../../pages/hosted/way.ts';

const SET_FACTOR = sql('update users set totp_enabled_at = 1 where id = $1');
const off = ['LOGIN', 'REGISTER', 'REGISTER_HOUR', 'ANON', 'DOCUMENTS', 'PASSWORD_RESET'];
const unlimited = Object.fromEntries(off.map((name) => [`RATE_LIMIT_${name}`, 'off']));

describeOnSqlite('the way of a person from an application', (engine) => {
  const service = useService(engine, limited({ ...unlimited, ...LOOPBACK_ALLOWED }));
  const closed = useService(
    engine,
    limited({
      ...unlimited,
      REGISTRATION: 'closed',
      RATE_LIMIT_LOGIN: '1/60',
      REQUIRE_VERIFIED_EMAIL: 'true',
    }),
  );
  const { issuer, provider } = useProvider(service);

  for (const kind of LINK_KINDS)
    test(`the page of a link (${kind}) that has expired or does not exist leads on`, async () => {
      const way = await createWay(service);
      const browser = createBrowser(service);
      const user = kind === 'claim_account' ? await createUnclaimedUser(service) : await register(service);
      const expired = await createTestLink(service, kind, { user, now: 0 });
      for (const token of [expired, 'x'])
        for (const response of [
          await browser.get(way.add(LINK_PATHS[kind] + token)),
          await browser.submit(way.add(LINK_PATHS[kind] + token), { password: 'paper lantern' }),
        ]) {
          assert.equal(response.status, 404);
          await way.assertOutcome(browser, response, kind);
        }
    });

  test('the pages of a rejected, a limited and a closed request lead on', async () => {
    const way = await createWay(closed);
    const browser = createBrowser(closed);
    const { email, password } = await register(service);
    const statuses: number[] = [];
    for (const [path, fields] of [
      ['/sign-in', { email, current_password: password }],
      ['/sign-in', { email, current_password: password }],
      ['/sign-up', { name: 'Ada', email, password }],
      ['/sign-in/second-factor?step=12345678', { code: '123456' }],
    ] as const) {
      const response = await browser.submit(way.add(path), fields);
      statuses.push(response.status);
      await way.assertOutcome(browser, response, path);
    }
    assert.deepEqual(statuses, [401, 429, 403, 429]);
    await way.assertOutcome(browser, await browser.get(way.add('/sign-up')), 'closed');
  });

  test('the way back from the sign-in tells the application that nobody has signed in', async () => {
    const way = await createWay(service);
    const browser = createBrowser(service);
    for (const { text } of [
      await browser.get(way.add('/sign-in')),
      await browser.submit(way.add('/sign-in'), { email: newUserData().email, current_password: 'wrong' }),
      await browser.get(way.add('/sign-up')),
    ]) {
      const [, href] = /<a href="([^"]*)">Zurück zu Portal/.exec(text)!;
      const { origin, pathname, searchParams } = new URL(href!.replaceAll('&amp;', '&'));
      assert.equal(origin + pathname, REDIRECT_URI);
      assert.deepEqual(Object.fromEntries(searchParams), {
        ...{ error: 'access_denied', error_description: 'The person has not signed in' },
        ...{ state: 'the state', iss: service.api.url },
      });
    }
    // Without PUBLIC_URL, the service does not know its name for other machines, and rejects their sign-ins.
    const request = String(rawRequest('GET', way.add('/sign-in'))).replace('localhost', 'desk.example');
    const { status, text } = await sendRawOnce(service.api.url, request);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /Zurück zu/);
  });

  test('a message that a page has caused, and the pages of its link, lead on in the chosen language', async () => {
    const way = await createWay(service);
    const browser = createBrowser(service);
    const person = newUserData();
    await browser.submit(way.add('/sign-up'), person);
    for (const path of ['/account/verify-email', '/account/reset-password'])
      await browser.submit(way.add(path), { email: person.email });
    const messages = await waitingMail(service, person.email);
    assert.equal(messages.length, 3);
    for (const { kind, data } of messages) {
      const { language, return_to } = JSON.parse(data);
      assert.deepEqual([language, return_to], ['de', way.returnTo], kind);
    }
  });

  /** Creates an account in a browser, and returns the path of the link that confirms its address. */
  async function signUp() {
    const browser = createBrowser(service);
    const person = newUserData();
    assert.equal((await browser.submit('/sign-up', person)).status, 303);
    const id = (await waitingMail(service, person.email))[0]!.user_id!;
    const token = await createTestLink(service, 'verify_email', { user: { ...person, id } });
    return { ...person, id, browser, path: LINK_PATHS.verify_email + token };
  }

  test('whoever confirms the address in the browser that has created the account is signed in, and goes on to the application', async () => {
    const way = await createWay(service);
    const { browser, path } = await signUp();
    const sent = await browser.submit(way.add(path));
    assert.deepEqual([sent.status, browser.hasSession()], [303, true]);
    const done = await browser.get(sent.headers.get('location')!);
    assert.match(done.text, /Sie sind auf diesem Gerät angemeldet\./);
    const [, next] = /<a class="button primary full" href="([^"]*)">Weiter zu Portal/.exec(done.text)!;
    const { headers } = await browser.get(next!.replaceAll('&amp;', '&'));
    assert.match(headers.get('location')!, /^https:\/\/app\.example\.com\/callback\?code=/);
    assert.equal((await browser.submit(way.add(path))).status, 303, 'the second press');
  });

  test('a link that confirms an address signs nobody in elsewhere, with a second factor, or where another person is signed in', async () => {
    const elsewhere = await signUp();
    const other = createBrowser(service);
    const withFactor = await signUp();
    await service.database.transaction((tx) => tx.run(SET_FACTOR, withFactor.id));
    const shared = await signUp();
    const { email, password } = await register(service);
    await shared.browser.submit('/sign-in', { email, current_password: password });
    const attacker = await signUp();
    for (const [browser, { path }, isSignedIn] of [
      [other, elsewhere, false],
      [withFactor.browser, withFactor, false],
      [shared.browser, shared, true],
      [(await signUp()).browser, attacker, false],
    ] as const) {
      const { status } = await browser.submit(path);
      assert.deepEqual([status, browser.hasSession()], [303, isSignedIn]);
    }
    assert.ok((await shared.browser.get('/account')).text.includes(email));
  });

  test('the cookies after signing up have the same form for new and known addresses', async () => {
    const { email } = await register(service);
    for (const address of [email, newUserData().email]) {
      const sent = await createBrowser(service).submit('/sign-up', { ...newUserData(), email: address });
      assert.match(
        sent.headers.get('set-cookie')!,
        /^frontdesk-sign-up-[\w-]{8}=\w{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }
  });

  test('sign-ins with a provider that fail, and its questions, lead on', async () => {
    const way = await createWay(service);
    const browser = createBrowser(service);
    const begin = async () => {
      const response = await browser.get(way.add(`/sign-in/with/${provider.id}`));
      return response.headers.get('location')!;
    };
    const callback = (query: string) => browser.get(`/sign-in/callback/${provider.id}?${query}`);
    const state = new URL(await begin()).searchParams.get('state')!;
    const denied = await callback(
      new URLSearchParams({ error: 'access_denied', state, iss: issuer.url }).toString(),
    );
    assert.equal(getHeading(denied), 'Sie haben sich nicht angemeldet');
    await way.assertOutcome(browser, denied, 'denied');
    const { email } = await register(service);
    const person = { sub: 'a', email, email_verified: true };
    const asked = await callback(issuer.authorize(await begin(), person));
    assert.match(asked.headers.get('location')!, /^\/sign-in\/identity\?/);
    await way.assertOutcome(browser, await browser.get(asked.headers.get('location')!), 'question');
  });

  test('a sign-in begins in the first of ui_locales for which there are texts, and goes on in the one that is chosen', async () => {
    const application = await createApplication(service);
    for (const [ui_locales, lang] of [
      ['de', 'de'],
      ['fr de-AT en', 'de-AT'],
      ['FR DE', 'de'],
      ['fr it', undefined],
      [`${'fr '.repeat(20)}de`, undefined],
      ['_ *', undefined],
      ['', undefined],
    ] as const) {
      const { result } = await authorize(service, authorization(application, { ui_locales }));
      assert.equal(result.lang, lang, ui_locales);
    }
    const request = authorization(application, { ui_locales: 'de', prompt: 'login' });
    const { location } = await authorize(service, request);
    const browser = createBrowser(service);
    const [, english] = /href="([^"]*)" lang="en"/.exec((await browser.get(location!)).text)!;
    const { email, password } = await register(service);
    const chosen = `/sign-in${english!.replaceAll('&amp;', '&')}`;
    const sent = await browser.submit(chosen, { email, current_password: password });
    const next = sent.headers.get('location')!;
    assert.equal(new URL(next, 'http://x').searchParams.get('ui_locales'), 'en');
    const done = await browser.get(next);
    assert.match(done.headers.get('location')!, /^https:\/\/app\.example\.com\/callback\?code=/);
  });

  test('the application of a way is found behind five steps; a query has room for hundreds, which are not read', async () => {
    const { returnTo, name } = await createWay(service);
    const isNamed = async (steps: number) => {
      let path = returnTo;
      for (let step = 0; step < steps; step++) path = `/device?${new URLSearchParams({ return_to: path })}`;
      const query = new URLSearchParams({ return_to: path });
      return getHeading(await createBrowser(service).get(`/sign-in?${query}`))?.includes(name);
    };
    assert.deepEqual(await Promise.all([0, 5, 6].map(isNamed)), [true, true, false]);
  });

  test('a query whose values have question marks stays whole when a language is chosen', () => {
    const returnTo = '/oauth/authorize?redirect_uri=https://app.example.com/?a=b&state=c?d';
    assert.equal(
      toEnd({ returnTo, lang: 'de' }),
      `/oauth/authorize?${new URLSearchParams({ redirect_uri: 'https://app.example.com/?a=b', state: 'c?d', ui_locales: 'de' })}`,
    );
  });

  test('a person chooses language and time zone of the account, which its pages have everywhere, until another language is chosen', async () => {
    const { email, password, token } = await register(service);
    const signIn = async () => {
      const browser = createBrowser(service);
      const { headers } = await browser.submit('/sign-in', { email, current_password: password });
      assert.equal(headers.get('location'), '/account');
      return browser;
    };
    const browser = await signIn();
    const page = await browser.get('/account');
    assert.match(page.text, /Used on <time [^>]+>\d+ \w+ \d{4}, \d\d:\d\d UTC/);
    for (const option of [
      '<option value="-" selected>As in the browser',
      '<option value="de">Deutsch',
      '<option value="Asia/Tokyo">Asia/Tokyo',
      '<option value="Asia/Kathmandu">Asia/Kathmandu',
    ])
      assert.ok(page.text.includes(option), option);
    const chosen = { name: 'Ada', locale: 'de', zoneinfo: 'Asia/Tokyo' };
    const saved = await browser.submit('/account/profile?lang=en', chosen);
    assert.equal(saved.headers.get('location'), '/account?done=saved');
    for (const each of [browser, await signIn()]) {
      const { text } = await each.get('/account');
      assert.match(
        text,
        /<html lang="de".*<option value="de" selected>.*<option value="Asia\/Tokyo" selected>/s,
      );
      assert.match(text, /\d\d:\d\d \(Asia\/Tokyo\)/);
    }
    assert.match((await browser.get('/account?lang=en')).text, /<html lang="en"/);
    const own = async () => {
      const { locale, zoneinfo } = (await service.api.get('/api/v1/me', { token })).body.data;
      return [locale, zoneinfo];
    };
    assert.deepEqual(await own(), ['de', 'Asia/Tokyo']);
    for (const wrong of [{ zoneinfo: 'Berlin' }, { locale: 'de_DE' }])
      assert.equal((await browser.submit('/account/profile', { ...chosen, ...wrong })).status, 400);
    await browser.submit('/account/profile', { ...chosen, zoneinfo: 'Asia/Katmandu' });
    assert.match((await browser.get('/account')).text, /<option value="Asia\/Katmandu" selected>/);
    await browser.submit('/account/profile', { ...chosen, locale: '-', zoneinfo: '-' });
    assert.deepEqual(await own(), [null, null]);
  });

  test('the language that was chosen to sign in is that of the account', async () => {
    const browser = createBrowser(service);
    const { email, password } = await register(service);
    const fields = { email, current_password: password };
    const { headers } = await browser.submit('/sign-in?lang=de', fields);
    assert.equal(headers.get('location'), '/account?lang=de');
    assert.equal(getHeading(await browser.get('/account?lang=de')), 'Ihr Konto');
  });
});

describeOnSqlite('pages over plain HTTP', (engine) => {
  const environment = { PUBLIC_URL: 'http://desk.example.com' };
  const plain = useService(engine, { environment });
  const local = useService(engine, { environment: { PUBLIC_URL: 'http://desk.localhost:3000' } });

  test('every page with a password says that it should not be entered where PUBLIC_URL has no TLS, and no other page', async () => {
    const token = async (service: TestService) =>
      createTestLink(service, 'claim_account', { user: await createUnclaimedUser(service) });
    for (const [service, isWarned] of [
      [plain, true],
      [local, false],
    ] as const)
      for (const [path, hasPassword] of [
        ['/sign-in', true],
        ['/sign-up', true],
        [LINK_PATHS.claim_account + (await token(service)), true],
        ['/account/reset-password', false],
        ['/sign-up/done', false],
      ] as const) {
        const { text } = await service.api.get(path);
        assert.equal(text.includes('type="password"'), hasPassword, path);
        assert.equal(text.includes('<h2>Enter no password here</h2>'), isWarned && hasPassword, path);
      }
  });

  for (const [url, isPlain] of [
    ['', false],
    ['https://desk.example.com', false],
    ['http://localhost', false],
    ['http://localhost:3000/accounts', false],
    ['http://a.b.localhost:3000', false],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
    ['http://desk.example.com', true],
    ['http://192.168.1.7:3000', true],
    ['http://localhost.example.com', true],
    ['http://mylocalhost', true],
  ] as const)
    test(`PUBLIC_URL=${url} ${isPlain ? 'has no TLS for' : 'is safe or local for'} passwords`, () =>
      assert.equal(isPlainHttp(url), isPlain));
});
