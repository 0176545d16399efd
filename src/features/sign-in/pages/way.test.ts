import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authorization, authorize, createApplication } from '../../../../test/support/applications.ts';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import { createWay } from '../../../../test/support/browser/way.ts';
import { limited } from '../../../../test/support/limits.ts';
import { createTestLink, waitingMail } from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../../test/support/service.ts';
import { type Issuer, startIssuer } from '../../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../../test/support/upstream/sign-in.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import { LINK_KINDS } from '../../mail/links/queries.ts';

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
  let issuer: Issuer;
  let providerId: string;
  before(async () => {
    issuer = await startIssuer();
    providerId = (await addProvider(service, issuer)).id;
  });
  after(() => issuer.close());

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

  test('sign-ins with a provider that fail, and its questions, lead on', async () => {
    const way = await createWay(service);
    const browser = createBrowser(service);
    const begin = async () => {
      const response = await browser.get(way.add(`/sign-in/with/${providerId}`));
      return response.headers.get('location')!;
    };
    const callback = (query: string) => browser.get(`/sign-in/callback/${providerId}?${query}`);
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

  test('the language that was chosen to sign in is that of the account', async () => {
    const browser = createBrowser(service);
    const { email, password } = await register(service);
    const fields = { email, current_password: password };
    const { headers } = await browser.submit('/sign-in?lang=de', fields);
    assert.equal(headers.get('location'), '/account?lang=de');
    assert.equal(getHeading(await browser.get('/account?lang=de')), 'Ihr Konto');
  });
});
