import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorization, createApplication } from '../../../../test/support/applications.ts';
import { submit } from '../../../../test/support/browser/account-pages.ts';
import { limited, manualClock } from '../../../../test/support/limits.ts';
import { createTestLink } from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { type TestService, useService } from '../../../../test/support/service.ts';
import { createBrowser } from '../../../../test/support/upstream/sign-in.ts';
import { registerWithTotp } from '../../../../test/support/user-totp.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';

const PASSWORD = 'paper lantern under the bridge';
const unlimited = limited({ RATE_LIMIT_PASSWORD_RESET: 'off', RATE_LIMIT_REGISTER: 'off' });

describeOnSqlite('the end of a page that sets a password', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { ...unlimited, clock });
  const closed = useService(engine, { environment: { HOSTED_PAGES: 'off' } });

  async function createPath(
    to: TestService,
    user: { id: string; email: string },
    kind: LinkKind = 'reset_password',
  ) {
    return LINK_PATHS[kind] + (await createTestLink(to, kind, { user, now: clock() }));
  }

  for (const [title, kind, create] of [
    ['a reset', 'reset_password', register],
    ['a claim', 'claim_account', createUnclaimedUser],
  ] as const) {
    test(`${title} signs the browser in that has sent the form, and its page leads to the account`, async () => {
      const person = await create(service);
      const browser = createBrowser(service);
      const sent = await browser.submit(await createPath(service, person, kind), { password: PASSWORD });
      assert.deepEqual([sent.status, browser.hasSession()], [303, true]);
      const outcome = await browser.get('/account/password-set');
      assert.match(outcome.text, /You are signed in on this device\..*href="\/account"/s);
      assert.equal((await browser.get('/account')).status, 200);
    });
  }

  test('a link in the browser of another person names both, and ends that session only if the form says so', async () => {
    for (const [kind, create, isSignedIn] of [
      ['claim_account', createUnclaimedUser, true],
      ['reset_password', (each: TestService) => registerWithTotp(each, clock()), false],
    ] as const) {
      const [other, person] = [await register(service), await create(service)];
      const browser = createBrowser(service);
      await browser.submit('/sign-in', { email: other.email, current_password: other.password });
      const path = await createPath(service, person, kind);
      const isOther = async () => (await browser.get('/account')).text.includes(other.email);
      const { text } = await browser.get(path);
      assert.match(
        text,
        new RegExp(`signed in here as ${other.email}\\. This link belongs to ${person.email}`),
      );
      assert.match(text, new RegExp(`<button class="primary">Sign out ${other.email} and continue`));
      const [, ends] = /name="ends" value="([^"]*)"/.exec(text)!;
      const asked = await browser.submit(path, { password: PASSWORD });
      assert.deepEqual([asked.status, await isOther()], [409, true]);
      assert.match(asked.text, /<button class="primary">Sign out /);
      const rejected = await browser.submit(path, { password: 'x', ends: ends! });
      assert.deepEqual([rejected.status, await isOther()], [400, true]);
      const sent = await browser.submit(path, { password: PASSWORD, ends: ends! });
      assert.deepEqual([sent.status, browser.hasSession(), await isOther()], [303, isSignedIn, false]);
    }
  });

  test('a link in the browser of its own person asks nothing', async () => {
    const person = await register(service);
    const browser = createBrowser(service);
    await browser.submit('/sign-in', { email: person.email, current_password: person.password });
    const path = await createPath(service, person);
    assert.doesNotMatch((await browser.get(path)).text, /name="ends"/);
    const sent = await browser.submit(path, { password: PASSWORD });
    assert.deepEqual([sent.status, browser.hasSession()], [303, true]);
  });

  test('an invitation of an administrator leads to the console', async () => {
    const person = await createUnclaimedUser(service);
    const browser = createBrowser(service);
    const path = `${await createPath(service, person, 'claim_account')}?return_to=%2Fconsole`;
    const sent = await browser.submit(path, { password: PASSWORD });
    const outcome = await browser.get(sent.headers.get('location')!);
    assert.match(outcome.text, /<a class="button primary full" href="\/console">Administration<\/a>/);
  });

  test('each page of a step that is done leads on: to the account, to the sign-in, or to the application only', async () => {
    const application = await createApplication(service);
    const person = await register(service);
    const signedIn = createBrowser(service);
    await signedIn.submit('/sign-in', { email: person.email, current_password: person.password });
    const way = new URLSearchParams({
      return_to: `/oauth/authorize?${authorization(application)}`,
    });
    for (const path of ['/account/password-set', '/account/email-verified', '/account/email-changed']) {
      const pages = [
        signedIn.get(path),
        createBrowser(service).get(path),
        createBrowser(service).get(`${path}?${way}`),
        createBrowser(closed).get(path),
      ];
      const links = (await Promise.all(pages)).map(({ text }) =>
        ['/account', '/sign-in', '/oauth/authorize'].filter((href) => text.includes(`href="${href}`)),
      );
      assert.deepEqual(links, [['/account'], ['/sign-in'], ['/oauth/authorize'], []], path);
    }
  });

  test('nobody is signed in without the code of the second factor', async () => {
    const person = await registerWithTotp(service, clock());
    const browser = createBrowser(service);
    await browser.submit(await createPath(service, person), { password: PASSWORD });
    assert.equal(browser.hasSession(), false);
    assert.match((await browser.get('/account/password-set')).text, /Sign in with the new password/);
  });

  test('nobody is signed in by a form whose origin is not known, or while the hosted pages are closed', async () => {
    const fields = { password: PASSWORD };
    const { status, headers } = await submit(service, await createPath(service, await register(service)), {
      fields,
    });
    assert.deepEqual([status, headers.get('set-cookie')], [303, null]);
    const browser = createBrowser(closed);
    const sent = await browser.submit(await createPath(closed, await register(closed)), fields);
    assert.deepEqual([sent.status, browser.hasSession()], [303, false]);
  });
});
