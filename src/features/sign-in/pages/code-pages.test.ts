import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { readMailedCodes, WITH_CODES } from '../../../../test/support/mailed-codes.ts';
import { createTestLink, listEvents, logIn } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, newUserData, type TestService, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../../test/support/totp.ts';
import { type Issuer, startIssuer } from '../../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../../test/support/upstream/sign-in.ts';
import { registerWithTotp } from '../../../../test/support/user-totp.ts';
import { createUnclaimedUser, markEmailVerified, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';

const USERS = sql<{ id: string; state: string; name: string; locale: string; email_verified_at: number }>(
  'select id, state, name, locale, email_verified_at from users where email_key = $1 and owns_email = 1',
);
const CLAIMED = sql<object>(`select state, email_verified_at is not null as is_verified, password_hash, amr
  from users join sign_in_sessions on user_id = users.id where users.id = $1`);
const AMR = sql<{ amr: string }>('select amr from sign_in_sessions where user_id = $1');
const EXPIRED = 'This sign-in cannot be completed';
const MAILED = 'Check your email';

type Browser = ReturnType<typeof createBrowser>;

/** Sends the address, and returns the path of the page on which the code is entered, and the code. */
async function begin(service: TestService, browser: Browser, email: string, path = '/sign-in/code/mail') {
  const sent = await browser.submit(path, { name: 'Ada', email });
  const page = sent.headers.get('location')!;
  return { page, code: (await readMailedCodes(service, email)).at(-1)! };
}

describeOnEachEngine('the page of a mailed code', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock, environment: WITH_CODES });

  test('a code signs in where the person wanted to go, and verifies the address', async () => {
    const { id, email } = await register(service);
    const browser = createBrowser(service);
    const path = '/sign-in/code/mail?return_to=%2Faccount%2Fexport&lang=de';
    const { page, code } = await begin(service, browser, email, path);
    const { text } = await browser.get(page);
    assert.ok(text.includes(email));
    assert.match(text, /<input [^>]*name="mail_code" [^>]*autocomplete="one-time-code" inputmode="text"/);
    const typed = ` ${code.toLowerCase().replace('-', ' ')}`;
    const sent = await browser.submit(page, { mail_code: typed });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/account/export?lang=de']);
    assert.equal(browser.hasSession(), true);
    const { database } = service;
    assert.deepEqual(await database.all(AMR, id), [{ amr: 'email' }]);
    assert.ok((await listEvents(service, id)).includes('email.verified by user'));
  });

  test('a person who signs up without a password has a verified account after the code, and none before', async () => {
    const { email } = newUserData();
    const browser = createBrowser(service);
    const find = () => service.database.all(USERS, email.toLowerCase());
    const { page, code } = await begin(service, browser, email, '/sign-up/code?lang=de');
    assert.deepEqual(await find(), []);
    const sent = await browser.submit(page, { mail_code: code });
    assert.equal(sent.headers.get('location'), '/account?lang=de');
    const [user] = await find();
    assert.deepEqual([user!.state, user!.name, user!.locale], ['active', 'Ada', 'de']);
    assert.notEqual(user!.email_verified_at, null);
    const events = await listEvents(service, user!.id);
    assert.deepEqual(events, ['user.created by user', 'session.created by user']);
  });

  if (engine === 'postgres') return;

  test('pages are the same for addresses with and without an account, also to sign up', async () => {
    const { email: known } = await register(service);
    const unclaimed = (await createUnclaimedUser(service)).email!;
    for (const path of ['/sign-in/code/mail', '/sign-up/code']) {
      const pages = new Set<string>();
      for (const email of [known, unclaimed, newUserData().email]) {
        const browser = createBrowser(service);
        const { page } = await begin(service, browser, email, path);
        const shown = await browser.get(page);
        const wrong = await browser.submit(page, { mail_code: 'AAAA-AAAA' });
        const texts = [shown, wrong].map(({ status, text }) => `${status}${text}`);
        pages.add(
          texts
            .join()
            .replaceAll(email, '')
            .replaceAll(page.replace('&', '&amp;'), '')
            .replace(/step=\w+/g, ''),
        );
      }
      assert.equal(pages.size, 1, path);
    }
  });

  test('a person who signs up with the address of an account is signed in to it, and one who was invited claims it', async () => {
    for (const user of [await register(service), await createUnclaimedUser(service)]) {
      const browser = createBrowser(service);
      const { page, code } = await begin(service, browser, user.email!, '/sign-up/code');
      await browser.submit(page, { mail_code: code });
      assert.equal(browser.hasSession(), true);
      const [found, ...others] = await service.database.all(USERS, user.email!.toLowerCase());
      assert.deepEqual([found!.id, found!.state, others], [user.id, 'active', []]);
      assert.notEqual(found!.name, 'Ada');
    }
  });

  test('a person without a password deletes the account by a second press, as one with a password does', async () => {
    const { email } = newUserData();
    const browser = createBrowser(service);
    const { page, code } = await begin(service, browser, email, '/sign-up/code');
    await browser.submit(page, { mail_code: code });
    const { text } = await browser.get('/account');
    const [, opened] = /<summary class="button danger"[^>]*>Delete account…<\/summary>(.*?)<\/details>/s.exec(
      text,
    )!;
    assert.match(opened!, /<form method="post" action="\/account\/delete".*>Delete account<\/button>/s);
    assert.doesNotMatch(text, /<button class="danger"/);
  });

  test('the first code keeps the password in the browser that has created the account, and only there', async () => {
    for (const isOwn of [true, false]) {
      const person = newUserData();
      const creator = createBrowser(service);
      await creator.submit('/sign-up', person);
      const browser = isOwn ? creator : createBrowser(service);
      const { page, code } = await begin(service, browser, person.email);
      await browser.submit(page, { mail_code: code });
      assert.equal(browser.hasSession(), true);
      assert.equal((await logIn(service, person)).status, isOwn ? 200 : 401);
    }
  });

  test('a wrong code is rejected at its field; a code that has expired, was used up, or is sent by another browser ends the sign-in', async () => {
    const { email, id } = await register(service);
    await markEmailVerified(service, id);
    const browser = createBrowser(service);
    const { page, code } = await begin(service, browser, email);
    const wrong = await browser.submit(page, { mail_code: 'wrong' });
    assert.deepEqual([wrong.status, getHeading(wrong)], [400, MAILED]);
    assert.match(wrong.text, /<input id="sign-in-code-mail_code" [^>]*aria-invalid="true"/);
    const other = createBrowser(service);
    assert.equal(getHeading(await other.submit(page, { mail_code: code })), EXPIRED);
    for (let count = 1; count < 5; count++) await browser.submit(page, { mail_code: 'wrong' });
    assert.equal((await browser.submit(page, { mail_code: code })).status, 400);
    const again = await browser.submit(page.replace('?', '/again?'));
    assert.equal(again.headers.get('location'), page);
    const codes = await readMailedCodes(service, email);
    assert.equal((await browser.submit(page, { mail_code: codes.at(-1)! })).status, 303);
    const late = await begin(service, other, email);
    clock.now += 10 * MINUTE;
    for (const response of [
      await other.get(late.page),
      await other.submit(late.page, { mail_code: late.code }),
      await other.submit(late.page.replace('?', '/again?')),
    ])
      assert.equal(getHeading(response), EXPIRED);
  });

  test('a person with a second factor is asked for it after the code', async () => {
    const { email, appSecret } = await registerWithTotp(service, clock.now);
    clock.now += STEP_MS;
    const browser = createBrowser(service);
    const { page, code } = await begin(service, browser, email);
    const sent = await browser.submit(page, { mail_code: code });
    assert.equal(browser.hasSession(), false);
    const step = sent.headers.get('location')!;
    assert.match(step, /^\/sign-in\/second-factor\?step=\w{8}$/);
    await browser.submit(step, { code: codeAt(appSecret, clock.now) });
    assert.equal(browser.hasSession(), true);
  });

  test('the page to sign in has the button beside the password, whose form shows a wrong address again', async () => {
    const browser = createBrowser(service);
    const { text } = await browser.get('/sign-in?lang=en');
    assert.match(text, /<button formaction="\/sign-in\/code\/mail\?lang=en">Email me a code<\/button>/);
    const sent = await browser.submit('/sign-in/code/mail', { email: 'nobody', current_password: 'x' });
    assert.equal(sent.status, 400);
    assert.match(sent.text, /<input id="sign-in-email" [^>]*value="nobody"[^>]*aria-invalid="true"/);
    assert.match(sent.text, /name="current_password"/);
  });
});

describeOnSqlite('a service without passwords', (engine) => {
  const environment = { ...WITH_CODES, ...LOOPBACK_ALLOWED, PASSWORD_SIGN_IN: 'off', MAIL_TO_LOG: 'true' };
  const service = useService(engine, { environment });
  const { EMAIL_CODE_SIGN_IN: _, ...fixed } = environment;
  const closed = useService(engine, { environment: { ...fixed, PASSWORD_SIGN_IN: 'on' } });
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.close());

  test('its pages ask for an address only, and lead to no forgotten password', async () => {
    const { id } = await addProvider(service, issuer);
    const browser = createBrowser(service);
    const signIn = await browser.get('/sign-in?login_hint=ada@example.com');
    assert.equal(signIn.status, 200, 'not led to the only provider');
    assert.match(signIn.text, /<form method="post" action="\/sign-in\/code\/mail"/);
    assert.match(signIn.text, /value="ada@example.com"/);
    assert.ok(signIn.text.includes(`/sign-in/with/${id}`));
    assert.ok(signIn.text.includes('href="/sign-up"'));
    const signUp = await browser.get('/sign-up');
    assert.match(signUp.text, /<form method="post" action="\/sign-up\/code"/);
    for (const { text } of [signIn, signUp]) assert.doesNotMatch(text, /type="password"|reset-password/);
    for (const path of ['/sign-in', '/sign-up'])
      assert.ok((await browser.submit(path, newUserData())).status >= 400);
  });

  test('its link to claim an account claims it without a password, signs in, and leads on when it is opened again', async () => {
    const user = await createUnclaimedUser(service);
    const path = LINK_PATHS.claim_account + (await createTestLink(service, 'claim_account', { user }));
    const browser = createBrowser(service);
    const { text } = await browser.get(path);
    assert.ok(text.includes(`<bdi>${user.email}</bdi>`));
    assert.match(text, /<button class="primary">Set up account</);
    assert.doesNotMatch(text, /password/i);
    const outcomes = [
      await browser.submit(path, { password: 'paper lantern under the bridge' }),
      await browser.get(path),
    ];
    for (const { status, headers } of outcomes)
      assert.deepEqual([status, headers.get('location')], [303, '/account/email-verified']);
    const [claimed] = await service.database.all(CLAIMED, user.id);
    assert.deepEqual(claimed, { state: 'active', is_verified: 1, password_hash: null, amr: 'email' });
    assert.ok((await listEvents(service, user.id)).includes('user.claimed by user'));
    assert.match((await browser.get('/account/email-verified')).text, /You are signed in on this device/);
    const account = await browser.get('/account');
    assert.equal(account.status, 200);
    assert.doesNotMatch(account.text, /#password|\/account\/password/);
    const hidden = await browser.submit('/account/password', { password: 'paper lantern under the bridge' });
    assert.equal(hidden.status, 404);
    assert.deepEqual(await service.database.all(CLAIMED, user.id), [claimed]);
  });

  test('its link to claim an account ends the session of another person only if the form says so', async () => {
    const browser = createBrowser(service);
    const createPath = async () => {
      const user = await createUnclaimedUser(service);
      return LINK_PATHS.claim_account + (await createTestLink(service, 'claim_account', { user }));
    };
    await browser.submit(await createPath());
    const path = await createPath();
    const { text } = await browser.get(path);
    assert.doesNotMatch(text, /password/i);
    const [, ends] = /name="ends" value="([^"]*)"/.exec(text)!;
    assert.equal((await browser.submit(path)).status, 409);
    const sent = await browser.submit(path, { ends: ends! });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/account/email-verified']);
  });

  test('its page that sends another link names no password, and links to reset one still set it', async () => {
    const { text } = await service.api.get('/account/reset-password');
    assert.doesNotMatch(text, /a new password/i);
    const user = await register(service);
    const path = LINK_PATHS.reset_password + (await createTestLink(service, 'reset_password', { user }));
    const sent = await createBrowser(service).submit(path, { password: 'paper lantern under the bridge' });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/account/password-set']);
  });

  test('a link to claim an account demands a password that the form lacks, where the pages accept one', async () => {
    const user = await createUnclaimedUser(closed);
    const path = LINK_PATHS.claim_account + (await createTestLink(closed, 'claim_account', { user }));
    const sent = await createBrowser(closed).submit(path);
    assert.equal(sent.status, 400);
    assert.match(sent.text, /name="password"/);
  });

  test('the last identity of a user can be unlinked if a code can be mailed to the verified address', async () => {
    const { id } = await addProvider(service, issuer, { name: 'Second' });
    const person = { sub: 'unlinked', email: newUserData().email, email_verified: true };
    await createBrowser(service).signIn(issuer, id, person);
    const [user] = await service.database.all(USERS, person.email.toLowerCase());
    const path = `/api/v1/users/${user!.id}/identities`;
    const [identity] = (await service.api.get(path, admin)).body.data;
    const unlinked = await service.api.delete(`${path}/${identity.id}`, admin);
    assert.equal(unlinked.status, 204);
  });

  test('pages and forms of codes are closed while EMAIL_CODE_SIGN_IN is off', async () => {
    const browser = createBrowser(closed);
    assert.doesNotMatch((await browser.get('/sign-in')).text, /\/sign-in\/code/);
    assert.equal((await browser.get('/sign-in/code')).status, 403);
    for (const path of ['/sign-in/code', '/sign-in/code/mail', '/sign-in/code/again', '/sign-up/code'])
      assert.equal((await browser.submit(path, { email: newUserData().email })).status, 403, path);
  });
});
