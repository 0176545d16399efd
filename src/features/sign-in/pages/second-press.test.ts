import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication, signIn as startSession } from '../../../../test/support/applications.ts';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import { createWay } from '../../../../test/support/browser/way.ts';
import { beginDevice } from '../../../../test/support/devices.ts';
import { ANSWERS, getAction, listSubmissions, publishPage } from '../../../../test/support/form-pages.ts';
import { limited, manualClock } from '../../../../test/support/limits.ts';
import { atLocalhost, createPasskeyClient, readCreation } from '../../../../test/support/passkeys.ts';
import {
  createTestLink,
  listEvents,
  waitingKinds,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { routes } from '../../../../test/support/routes.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { hashAfter, newUserData, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../../test/support/totp.ts';
import type { Person } from '../../../../test/support/upstream/issuer.ts';
import { createBrowser, LOOPBACK_ALLOWED, useProvider } from '../../../../test/support/upstream/sign-in.ts';
import { registerWithTotp } from '../../../../test/support/user-totp.ts';
import { createUnclaimedUser, markEmailVerified, register } from '../../../../test/support/users.ts';
import { MINUTE } from '../../../lib/time.ts';
import { createMailCodes } from '../../mail/mail-codes.ts';

const PASSWORD = 'paper lantern under the bridge';
const SECRET_KEY = 'secret-key-of-the-tests-of-second-presses';
const getMailCode = createMailCodes(SECRET_KEY);
const limits = [
  'LOGIN',
  'LOGIN_CODE',
  'REGISTER',
  'REGISTER_HOUR',
  'ANON',
  'DOCUMENTS',
  'PASSWORD_RESET',
  'SUBMISSION',
];
const unlimited = Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, 'off']));

/** A script sends it, and the person confirms their passkey again: each assertion is accepted once. */
const PASSKEY = '/sign-in/passkey';

/** Endpoints for applications and scripts, whose requests no form sends, and the response of a provider by POST. */
const NOT_PAGES =
  /^\/(?:api\/|sign-in\/passkey\/options$|oauth\/(?:token|device_authorization|revoke|introspect|userinfo|authorize|end-session)$|console\/|sign-in\/callback\/)/;
const PATHS = routes
  .filter(({ method, path }) => method === 'POST' && !NOT_PAGES.test(path))
  .map(({ path }) => path);

type Browser = ReturnType<typeof createBrowser>;
/** A form that is ready to be sent. `check`: what holds after both presses. */
interface Form {
  readonly browser: Browser;
  readonly path: string;
  readonly fields?: Record<string, string>;
  readonly check?: () => Promise<void>;
  /** The heading of the second response, where it is not the response of the first. */
  readonly second?: string;
}

describeOnEachEngine('the second press of a form', (engine) => {
  const clock = manualClock(Date.now());
  let beforeHash = async () => {};
  const environment = { ...LOOPBACK_ALLOWED, SECRET_KEY, EMAIL_CODE_SIGN_IN: 'on', PASSWORD_THREADS: '2' };
  const service = useService(engine, {
    ...limited({ ...unlimited, ...environment }),
    ...{ clock, hashingPool: hashAfter(() => beforeHash()) },
  });
  const { issuer, provider } = useProvider(service);

  async function signIn(person?: { email: string; password: string }) {
    const { email, password } = person ?? (await register(service));
    const browser = createBrowser(service);
    const sent = await browser.submit('/sign-in', { email, current_password: password });
    return {
      browser,
      email,
      password,
      step: sent.headers.get('location')!,
      proof: { current_password: password },
    };
  }
  /** A form of the own account, with the password. */
  const ownForm = async (path: string, fields: Record<string, string> = {}): Promise<Form> => {
    const { browser, proof } = await signIn();
    return { browser, path, fields: { ...proof, ...fields } };
  };
  const linkForm = async (
    kind: Parameters<typeof createTestLink>[1],
    path: string,
    fields?: Record<string, string>,
  ): Promise<Form> => {
    const user = kind === 'claim_account' ? await createUnclaimedUser(service) : await register(service);
    const target = kind === 'change_email' ? { ...user, email: newUserData().email } : user;
    const token = await createTestLink(service, kind, { user: target, now: clock() });
    return { browser: createBrowser(service), path: path + token, ...(fields && { fields }) };
  };
  /** A browser whose sign-in with a provider waits for an answer. */
  async function ask(isVerified: boolean, changes: Partial<Person> = {}) {
    const user = await register(service);
    if (isVerified) await markEmailVerified(service, user.id);
    const browser = createBrowser(service);
    const person = { sub: user.email, email: user.email, email_verified: true, ...changes };
    await browser.signIn(issuer, provider.id, person);
    return { browser, ...user };
  }
  /** A browser in which a code from the mail is entered. */
  async function requestCode(path: string, fields: Record<string, string>) {
    const browser = createBrowser(service);
    const { headers } = await browser.submit(path, fields);
    const step = new URL(headers.get('location')!, 'http://x').search;
    return { browser, step };
  }
  const readCode = async (email: string) => {
    const [mail] = (await waitingMail(service, email)).filter(({ kind }) => kind === 'sign_in_code');
    return { mail_code: getMailCode(JSON.parse(mail!.data).code_id) };
  };
  const assertOneCode = (email: string) => async () => {
    const kinds = await waitingKinds(service, email);
    assert.equal(kinds.filter((kind) => kind === 'sign_in_code').length, 1);
  };
  async function enrol() {
    const { browser, proof } = await signIn();
    await browser.submit('/account/two-step', proof);
    const { text } = await browser.get('/account/two-step');
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)![1]!.replaceAll(' ', '');
    return { browser, proof, fields: { code: codeAt(secret, clock.now) }, secret };
  }
  /** A form that requests a link: of its messages, one is sent (`recipient.ts`). */
  const requestForm = async (path: string): Promise<Form> => {
    const { email } = newUserData();
    const check = () => assertFormMail(email, ['true', 'true']);
    return { browser: createBrowser(service), path, fields: { email }, check };
  };
  async function assertFormMail(email: string, expected: readonly unknown[]): Promise<void> {
    const marks = (await waitingMail(service, email)).map(({ data }) => JSON.parse(data).is_form);
    assert.deepEqual(marks, expected);
  }
  const assertEmailRequests = (userId: string, count: number) => async () => {
    const events = await listEvents(service, userId);
    assert.equal(events.filter((event) => event.startsWith('email.change_requested')).length, count);
  };
  async function requestEmail() {
    const person = await register(service);
    const { browser, proof } = await signIn(person);
    await browser.submit('/account/email', { ...proof, email: newUserData().email });
    return { browser, id: person.id };
  }
  /** A browser that is signed in, and the code of a device that waits. */
  async function askDevice() {
    const application = await createApplication(service, { device: true });
    const { user_code } = await beginDevice(service, application);
    return { browser: (await signIn()).browser, fields: { user_code } };
  }
  const findOwn = async (browser: Browser, pattern: RegExp) =>
    pattern.exec((await browser.get('/account')).text)![0];

  /** A browser of a person who has a passkey, and what the page to sign in sends with it. */
  async function openPasskey() {
    const { local, newAuthenticator } = atLocalhost(service);
    const authenticator = newAuthenticator();
    const person = await createPasskeyClient(local).newPerson(authenticator);
    const browser = createBrowser(local);
    const options = await browser.submit('/sign-in/passkey/options');
    const fields = { credential: JSON.stringify(authenticator.get(options.body)) };
    return { browser, fields, ...person };
  }
  async function signInWithPasskey() {
    const { browser, fields, passkey, password } = await openPasskey();
    await browser.submit('/sign-in/passkey', fields);
    return { browser, path: `/account/passkeys/${passkey.id}`, password };
  }

  const FORMS: Readonly<Record<string, () => Promise<Form>>> = {
    '/account/reset-password/{token}': () =>
      linkForm('reset_password', '/account/reset-password/', { password: PASSWORD }),
    '/account/claim/{token}': () => linkForm('claim_account', '/account/claim/', { password: PASSWORD }),
    '/account/verify-email/{token}': () => linkForm('verify_email', '/account/verify-email/'),
    '/account/change-email/{token}': () => linkForm('change_email', '/account/change-email/'),
    '/account/reset-password': () => requestForm('/account/reset-password'),
    '/account/verify-email': () => requestForm('/account/verify-email'),
    '/f/{id}': async () => {
      const { api, page } = await publishPage(service);
      const browser = createBrowser(service);
      const form = { browser, path: getAction(await browser.get(page)), fields: Object.fromEntries(ANSWERS) };
      const check = async () =>
        assert.equal((await listSubmissions(service, api, '?held=include')).length, 1);
      return { ...form, check };
    },
    '/oauth/end-session/confirm': async () => {
      const { id } = await createApplication(service);
      const { headers } = await startSession(service, { clock });
      const browser = createBrowser(service);
      browser.cookies.set(...(headers.cookie.split('=') as [string, string]));
      return { browser, path: '/oauth/end-session/confirm', fields: { client_id: id } };
    },
    '/device': async () => ({ ...(await askDevice()), path: '/device' }),
    '/device/allow': async () => ({ ...(await askDevice()), path: '/device/allow' }),
    '/device/deny': async () => ({ ...(await askDevice()), path: '/device/deny' }),
    '/sign-in': async () => {
      const { email, password } = await register(service);
      const fields = { email, current_password: password };
      return { browser: createBrowser(service), path: '/sign-in', fields };
    },
    '/sign-in/code/mail': async () => {
      const { email } = await register(service);
      const form = { browser: createBrowser(service), path: '/sign-in/code/mail', fields: { email } };
      return { ...form, check: assertOneCode(email) };
    },
    '/sign-in/code': async () => {
      const { email } = await register(service);
      const { browser, step } = await requestCode('/sign-in/code/mail', { email });
      return { browser, path: `/sign-in/code${step}`, fields: await readCode(email) };
    },
    '/sign-in/code/again': async () => {
      const { email } = await register(service);
      const { browser, step } = await requestCode('/sign-in/code/mail', { email });
      clock.now += MINUTE;
      const check = async () => {
        const kinds = await waitingKinds(service, email);
        assert.equal(kinds.filter((kind) => kind === 'sign_in_code').length, 2);
      };
      return { browser, path: `/sign-in/code/again${step}`, check };
    },
    '/sign-up/code': async () => {
      const { name, email } = newUserData();
      const form = { browser: createBrowser(service), path: '/sign-up/code', fields: { name, email } };
      return { ...form, check: assertOneCode(email) };
    },
    '/sign-in/second-factor': async () => {
      const { appSecret, ...person } = await registerWithTotp(service, clock.now);
      clock.now += STEP_MS;
      const { browser, step } = await signIn(person);
      return { browser, path: step, fields: { code: codeAt(appSecret, clock.now) } };
    },
    '/sign-in/passkey': async () => ({ ...(await openPasskey()), path: '/sign-in/passkey' }),
    '/account/passkeys': async () => {
      const { browser, password } = await signInWithPasskey();
      return { browser, path: '/account/passkeys', fields: { current_password: password } };
    },
    '/account/passkeys/add': async () => {
      const { newAuthenticator } = atLocalhost(service);
      const { browser, password } = await signInWithPasskey();
      await browser.submit('/account/passkeys', { current_password: password });
      const options = readCreation(await browser.get('/account/passkeys/new'));
      const fields = { credential: JSON.stringify(newAuthenticator().create(options)) };
      return { browser, path: '/account/passkeys/add', fields };
    },
    '/account/passkeys/{id}/rename': async () => {
      const { browser, path } = await signInWithPasskey();
      return { browser, path: `${path}/rename`, fields: { passkey_name: 'My phone' } };
    },
    '/account/passkeys/{id}/remove': async () => {
      const { browser, path, password } = await signInWithPasskey();
      return { browser, path: `${path}/remove`, fields: { current_password: password } };
    },
    '/sign-in/with/{id}': () => ownForm(`/sign-in/with/${provider.id}`),
    '/sign-in/identity/code': async () => {
      const email = newUserData().email;
      const { browser } = await ask(false, { sub: email, email, email_verified: false });
      return { browser, path: '/sign-in/identity/code', fields: await readCode(email) };
    },
    '/sign-in/identity/mail-code': async () => {
      const { browser, email } = await ask(true);
      return { browser, path: '/sign-in/identity/mail-code', check: assertOneCode(email) };
    },
    '/sign-in/identity/password': async () => {
      const { browser, password } = await ask(true);
      return { browser, path: '/sign-in/identity/password', fields: { current_password: password } };
    },
    '/sign-in/identity/not-mine': async () => ({
      ...{ browser: (await ask(false)).browser, path: '/sign-in/identity/not-mine' },
    }),
    '/sign-in/identity/link': async () => {
      const { browser, email, password } = await ask(true);
      clock.now += 1;
      await browser.submit('/sign-in', { email, current_password: password });
      return { browser, path: '/sign-in/identity/link' };
    },
    '/sign-up': async () => {
      const user = { ...newUserData(), password: PASSWORD };
      const check = async () => assert.deepEqual(await waitingKinds(service, user.email), ['verify_email']);
      return { browser: createBrowser(service), path: '/sign-up', fields: user, check };
    },
    '/sign-out': async () => ({ browser: (await signIn()).browser, path: '/sign-out' }),
    '/account/profile': () => ownForm('/account/profile', { name: 'Grace' }),
    '/account/email': async () => {
      const person = await register(service);
      const { browser, proof } = await signIn(person);
      const fields = { ...proof, email: newUserData().email };
      return { browser, path: '/account/email', fields, check: assertEmailRequests(person.id, 1) };
    },
    '/account/email/send-again': async () => {
      const { browser, id } = await requestEmail();
      clock.now += MINUTE;
      return { browser, path: '/account/email/send-again', check: assertEmailRequests(id, 2) };
    },
    '/account/email/cancel': async () => ({ ...(await requestEmail()), path: '/account/email/cancel' }),
    '/account/password': () => ownForm('/account/password', { password: PASSWORD }),
    '/account/two-step': () => ownForm('/account/two-step'),
    '/account/two-step/confirm': async () => ({ ...(await enrol()), path: '/account/two-step/confirm' }),
    '/account/two-step/codes': async () => {
      const { browser, proof, fields, secret } = await enrol();
      await browser.submit('/account/two-step/confirm', fields);
      await browser.submit('/account/two-step/codes/saved');
      clock.now += STEP_MS;
      const sent = { ...proof, code: codeAt(secret, clock.now) };
      return { browser, path: '/account/two-step/codes', fields: sent };
    },
    '/account/two-step/codes/saved': async () => {
      const { browser, fields } = await enrol();
      await browser.submit('/account/two-step/confirm', fields);
      return { browser, path: '/account/two-step/codes/saved' };
    },
    '/account/two-step/off': async () => {
      const { browser, proof, fields, secret } = await enrol();
      await browser.submit('/account/two-step/confirm', fields);
      clock.now += STEP_MS;
      const sent = { ...proof, code: codeAt(secret, clock.now) };
      return { browser, path: '/account/two-step/off', fields: sent };
    },
    '/account/identities/{id}/unlink': async () => {
      const { browser, password } = await ask(true);
      await browser.submit('/sign-in/identity/password', { current_password: password });
      const path = await findOwn(browser, /\/account\/identities\/[\w-]+\/unlink/);
      return { browser, path, fields: { current_password: password } };
    },
    '/account/sessions/{id}/end': async () => {
      const { browser, ...person } = await signIn();
      await signIn(person);
      return { browser, path: await findOwn(browser, /\/account\/sessions\/[\w-]+\/end/) };
    },
    '/account/sessions/end-others': () => ownForm('/account/sessions/end-others'),
    '/account/tokens/{id}/revoke': async () => {
      const { browser } = await signIn();
      return { browser, path: await findOwn(browser, /\/account\/tokens\/[\w-]+\/revoke/) };
    },
    // Nothing is left that could tell whose account it was.
    '/account/delete': async () => ({ ...(await ownForm('/account/delete')), second: 'Sign in' }),
  };

  test('every page with a form is among those whose second press is tested', () => {
    assert.deepEqual(Object.keys(FORMS).sort(), PATHS.sort());
  });

  /** Sends a form, and returns what it leads to. */
  async function follow(browser: Browser, { path, fields }: Form) {
    const sent = await browser.submit(path, fields);
    const location = sent.headers.get('location');
    const page = location === null ? sent : await browser.get(location);
    return { status: sent.status, location, heading: getHeading(page), text: page.text };
  }

  for (const isLost of [false, true])
    for (const [name, prepare] of Object.entries(FORMS).filter((form) => !isLost || form[0] !== PASSKEY))
      test(`a second press of ${name} gets what the first has done${isLost ? ', whose response was lost' : ''}`, async () => {
        // Providers have the time of the machine.
        clock.now = Date.now();
        const form = await prepare();
        const { browser, check, second } = form;
        const cookies = new Map(browser.cookies);
        const first = await follow(browser, form);
        assert.ok(first.status < 400, first.text);
        if (isLost) browser.restore(cookies);
        const again = await follow(browser, form);
        if (second === undefined)
          assert.deepEqual(
            [again.status, again.location, again.heading],
            [first.status, first.location, first.heading],
            again.text,
          );
        else assert.equal(again.heading, second, again.text);
        await check?.();
      });

  for (const name of ['/account/password', '/account/two-step/codes', '/account/delete'])
    test(`a press of ${name} that ends after another one gets what that one has done`, async (context) => {
      clock.now = Date.now();
      const form = await FORMS[name]!();
      const late = createBrowser(service);
      late.restore(form.browser.cookies);
      const [begun, proceed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      beforeHash = () => {
        beforeHash = async () => {};
        begun.resolve();
        return proceed.promise;
      };
      context.after(() => proceed.resolve());
      const waiting = follow(late, form);
      await begun.promise;
      const first = await follow(form.browser, form);
      assert.ok(first.status < 400, first.text);
      proceed.resolve();
      const { heading, text } = await waiting;
      assert.equal(heading, form.second ?? first.heading, text);
    });

  test('a form to sign up with an address that has an account requests one link, however often it is sent', async () => {
    const user = await register(service);
    clock.now = Date.now() + 2 * MINUTE;
    for (const _ of ['first', 'second']) await createBrowser(service).submit('/sign-up', { ...user });
    await assertFormMail(user.email, [undefined, 'true', 'true']);
  });

  test('a form that has started a session starts no other one, for nobody else, and not later', async () => {
    const { browser, path, fields } = await FORMS['/sign-in/code']!();
    const cookies = new Map(browser.cookies);
    await browser.submit(path, fields);
    const started = new Map(browser.cookies);
    browser.restore(cookies);
    await browser.submit(path, { mail_code: 'WRONG' });
    assert.equal(browser.hasSession(), false);
    const other = createBrowser(service);
    await other.submit(path, fields);
    assert.equal(other.hasSession(), false);
    await browser.submit(path, fields);
    assert.equal(browser.hasSession(), true);
    const session = [...started].filter(([name]) => name.startsWith('frontdesk-person-'));
    const both = new Map([...cookies, ...session]);
    assert.deepEqual(browser.cookies, both);
    await browser.submit(path, fields);
    assert.deepEqual(browser.cookies, both);
    assert.equal((await browser.get(path)).headers.get('location'), '/account');
    browser.restore(cookies);
    clock.now += 5 * MINUTE;
    await browser.submit(path, fields);
    assert.equal(browser.hasSession(), false);
  });

  if (engine === 'postgres') return;

  /** Forms at which no way of an application leads on. */
  const ENDS = ['/f/{id}', '/oauth/end-session/confirm'];
  for (const path of PATHS.filter((each) => !ENDS.includes(each)))
    test(`the page of ${path}, its rejection and its outcome lead to the application of the person, in the chosen language`, async () => {
      clock.now = Date.now();
      const way = await createWay(service);
      const { browser, fields = {}, ...form } = await FORMS[path]!();
      const url = way.add(form.path);
      const page = await browser.get(url);
      if (page.status !== 405) await way.assertOutcome(browser, page, `GET ${path}`);
      if (Object.keys(fields).length > 0)
        await way.assertOutcome(browser, await browser.submit(url), `empty ${path}`);
      await way.assertOutcome(browser, await browser.submit(url, fields), `POST ${path}`);
    });
});
