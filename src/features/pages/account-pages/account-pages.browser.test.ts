import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../../../test/support/browser/accessibility.ts';
import { startProxy } from '../../../../test/support/browser/account-pages.ts';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { tabTo, waitForFocus } from '../../../../test/support/browser/keyboard.ts';
import { limited, newClientIp } from '../../../../test/support/limits.ts';
import { createTestLink, logIn } from '../../../../test/support/processes/recovery.ts';
import { rawRequest, sendRawOnce } from '../../../../test/support/raw-http.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  startService,
  type TestService,
  useService,
} from '../../../../test/support/service.ts';
import { mailEnvironment, startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { createUnclaimedUser, insertTestUser, register } from '../../../../test/support/users.ts';
import { LINK_PATHS } from '../../mail/links/link-url.ts';
import type { LinkKind } from '../../mail/links/queries.ts';

const NEW = 'paper lantern under the bridge';

interface OpenedPage {
  readonly page: Page;
  readonly requests: string[];
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  /** Lets axe-core, which is JavaScript, run in the page. */
  readonly enableJavaScript: () => Promise<unknown>;
}

/** Opens a page without JavaScript, from a network of its own. */
async function open(context: TestContext, url: string, locale = 'en-GB'): Promise<OpenedPage> {
  const browser = await openBrowser();
  const extraHTTPHeaders = { 'x-forwarded-for': newClientIp() };
  const session = await browser.newContext({ locale, extraHTTPHeaders });
  context.after(() => session.close());
  const page = await session.newPage();
  const devTools = await session.newCDPSession(page);
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: true });
  const enableJavaScript = () => devTools.send('Emulation.setScriptExecutionDisabled', { value: false });
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (entry) => {
    // The browser itself reports a response with an error status.
    if (entry.type() === 'error' && !/the server responded with a status/.test(entry.text()))
      errors.push(entry.text());
  });
  await page.goto(url);
  return { page, requests, errors, enableJavaScript };
}

/** Enough for the few elements of these pages. */
const MAX_PRESSES = 10;

async function pressButton(page: Page): Promise<void> {
  await tabTo(page, 'button', MAX_PRESSES);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

async function submitPassword(page: Page, password: string): Promise<void> {
  await tabTo(page, 'input', MAX_PRESSES);
  await page.keyboard.type(password);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

async function createUrl(service: TestService, kind: LinkKind, user?: { id: string; email: string }) {
  const { database } = service.service;
  const person =
    user ?? (kind === 'claim_account' ? await createUnclaimedUser(service) : await insertTestUser(database));
  return `${service.api.url}${LINK_PATHS[kind]}${await createTestLink(service, kind, { user: person })}`;
}

interface State {
  readonly heading: string;
  /** Returns the URL to open. */
  readonly url: (service: TestService) => Promise<string>;
  /** Reaches the state from there, by keyboard alone. */
  readonly reach?: (page: Page, service: TestService) => Promise<void>;
}

const link = (kind: LinkKind) => (service: TestService) => createUrl(service, kind);
const page = (path: string) => async (service: TestService) => service.api.url + path;
const unknown = (kind: LinkKind) => async (service: TestService) => `${service.api.url}${LINK_PATHS[kind]}x`;
const reject = (page: Page) => submitPassword(page, '                ');

const STATES: Readonly<Record<string, State>> = {
  'reset-password': { heading: 'Choose a new password', url: link('reset_password') },
  claim: { heading: 'Set up your account', url: link('claim_account') },
  'verify-email': { heading: 'Confirm your email address', url: link('verify_email') },
  'change-email': { heading: 'Confirm your new email address', url: link('change_email') },
  'password-rejected': {
    heading: 'Choose a new password',
    url: link('reset_password'),
    reach: (page) => submitPassword(page, '12345678901234567890'),
  },
  'password-blank': { heading: 'Set up your account', url: link('claim_account'), reach: reject },
  'password-set': {
    heading: 'Your password is set',
    url: link('reset_password'),
    reach: (page) => submitPassword(page, NEW),
  },
  'account-claimed': {
    heading: 'Your password is set',
    url: link('claim_account'),
    reach: (page) => submitPassword(page, NEW),
  },
  'email-verified': {
    heading: 'Your email address is confirmed',
    url: link('verify_email'),
    reach: pressButton,
  },
  'email-changed': {
    heading: 'Your email address is changed',
    url: async (service) => {
      const { id } = await insertTestUser(service.service.database);
      return createUrl(service, 'change_email', { id, email: newUserData().email });
    },
    reach: pressButton,
  },
  'email-taken': {
    heading: 'Another account has this email address',
    url: async (service) => {
      const { database } = service.service;
      const [{ id }, owner] = [await insertTestUser(database), await insertTestUser(database)];
      return createUrl(service, 'change_email', { id, email: owner.email! });
    },
    reach: pressButton,
  },
  'invalid-reset-password': { heading: 'This link is not valid', url: unknown('reset_password') },
  'invalid-claim': { heading: 'This link is not valid', url: unknown('claim_account') },
  'invalid-verify-email': { heading: 'This link is not valid', url: unknown('verify_email') },
  'invalid-change-email': { heading: 'This link is not valid', url: unknown('change_email') },
  'request-reset': { heading: 'Request a new password', url: page('/account/reset-password') },
  'request-verification': { heading: 'Request a new link', url: page('/account/verify-email') },
  'request-rejected': {
    heading: 'Request a new password',
    url: page('/account/reset-password'),
    reach: pressButton,
  },
  'link-requested': {
    heading: 'Check your email',
    url: page('/account/verify-email'),
    reach: async (opened) => {
      await tabTo(opened, 'input', MAX_PRESSES);
      await opened.keyboard.type('nobody@example.com');
      await Promise.all([opened.waitForNavigation(), opened.keyboard.press('Enter')]);
    },
  },
  'too-many-attempts': {
    heading: 'Too many attempts',
    url: link('reset_password'),
    reach: useUpAttempts,
  },
};

/** Sends one form more than the service under test accepts. */
async function useUpAttempts(page: Page): Promise<void> {
  for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) await reject(page);
}

const FAILED: State = {
  heading: 'Something went wrong',
  url: link('verify_email'),
  reach: async (page, service) => {
    await service.service.database.close();
    await pressButton(page);
  },
};

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

const MAX_ATTEMPTS = 2;
const OPTIONS = limited({
  PASSWORD_POLICY: 'nist',
  RATE_LIMIT_PASSWORD_RESET: `${MAX_ATTEMPTS}/3600`,
});

async function checkState(context: TestContext, service: TestService, { heading, url, reach }: State) {
  const opened = await open(context, await url(service));
  const { page, requests, errors } = opened;
  await reach?.(page, service);
  assert.equal((await page.locator('h1').innerText()).replace('\u2011', '-'), heading);
  assert.deepEqual(errors, []);
  assert.ok(requests.some((request) => /\/assets\/style-\w+\.css$/.test(request)));
  const isElsewhere = (request: string) => !/^data:/.test(request) && !request.startsWith(service.api.url);
  assert.deepEqual(requests.filter(isElsewhere), []);
  await opened.enableJavaScript();
  await checkAppearance(page);
}

async function checkAppearance(page: Page, language = 'en'): Promise<void> {
  assert.equal(await page.locator('main').count(), 1);
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without transitions, in the middle of which colours have less contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await axeViolations(page), []);
  }
}

const checks =
  'is reached by keyboard, without JavaScript and without requests to elsewhere, is accessible, and fits windows of 320 and 1280 pixels, light and dark';

describe('link pages in a browser', () => {
  const service = useService('sqlite', OPTIONS);

  for (const [name, state] of Object.entries(STATES)) {
    test(`the link page in state ${name} ${checks}`, (context) => checkState(context, service, state));
  }

  test(`the link page in state failed ${checks}`, async (context) => {
    // Of its own, because it cannot be used afterwards.
    const failing = await startService('sqlite');
    context.after(failing.stop);
    await checkState(context, failing, FAILED);
  });

  test('link pages in German are accessible, fit windows of 320 and 1280 pixels, light and dark, and lead to a new link', async (context) => {
    const rejected = await open(context, await createUrl(service, 'reset_password'), 'de-AT');
    await submitPassword(rejected.page, 'kurz');
    assert.equal(await rejected.page.locator('h1').innerText(), 'Neues Passwort wählen');
    const error = await rejected.page.locator('#password-error').innerText();
    assert.equal(error, 'Das Passwort muss mindestens 15 Zeichen haben.');
    await rejected.enableJavaScript();
    await checkAppearance(rejected.page, 'de');

    const { page, enableJavaScript } = await open(context, await unknown('reset_password')(service), 'de');
    assert.equal(await page.locator('h1').innerText(), 'Dieser Link ist nicht mehr gültig');
    await enableJavaScript();
    await checkAppearance(page, 'de');
    await tabTo(page, 'a.button', MAX_PRESSES);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(await page.locator('h1').innerText(), 'Neues Passwort anfordern');
    await checkAppearance(page, 'de');
  });

  test('a link page shows the password on request, where there is JavaScript', async (context) => {
    const url = await createUrl(service, 'reset_password');
    const { page } = await open(context, url);
    assert.equal(await page.getByText('Show password').isVisible(), false);
    const session = await (await openBrowser()).newContext({ locale: 'en-GB' });
    context.after(() => session.close());
    const scripted = await session.newPage();
    await scripted.goto(url);
    const field = scripted.getByRole('textbox', { name: 'New password' });
    await field.fill(NEW);
    const choice = scripted.getByRole('checkbox', { name: 'Show password' });
    await choice.press('Space');
    assert.equal(await field.getAttribute('type'), 'text');
    await choice.press('Space');
    assert.equal(await field.getAttribute('type'), 'password');
    await choice.press('Space');
    assert.deepEqual(await axeViolations(scripted), []);
    await Promise.all([scripted.waitForNavigation(), field.press('Enter')]);
    assert.equal(await scripted.locator('h1').innerText(), 'Your password is set');
  });

  test('a link page moves the focus to the field of a rejected password, with the error as its description', async (context) => {
    const { page } = await open(context, await createUrl(service, 'reset_password'));
    await reject(page);
    const field = page.getByRole('textbox', { name: 'New password' });
    await waitForFocus(page, 'input');
    assert.equal(await field.inputValue(), '');
    assert.match(await field.ariaSnapshot(), /New password/);
    assert.equal(await page.locator('#password-error').innerText(), 'The password field is required.');
    assert.match(await page.title(), /^Error: /);
    await submitPassword(page, NEW);
    assert.equal(await page.locator('h1').innerText(), 'Your password is set');
  });

  test('a link page does not send the form again when the page of the outcome is reloaded', async (context) => {
    const { page } = await open(context, await createUrl(service, 'reset_password'));
    const before = service.log.length;
    await submitPassword(page, NEW);
    await page.reload();
    assert.equal(await page.locator('h1').innerText(), 'Your password is set');
    const posts = service.log
      .slice(before)
      .filter(({ method, route }) => method === 'POST' && /^\/account/.test(String(route)));
    assert.equal(posts.length, 1);
  });

  test('a link page offers the form again after too many attempts', async (context) => {
    const { page } = await open(context, await createUrl(service, 'reset_password'));
    await useUpAttempts(page);
    await tabTo(page, 'a', MAX_PRESSES);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(await page.locator('h1').innerText(), 'Choose a new password');
  });
});

describe('the link of a delivered message, below the path of a proxy, in a browser', () => {
  async function startWithMail(context: TestContext) {
    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    const proxy = await startProxy(context);
    const environment = { ...mailEnvironment(smtp), PUBLIC_URL: proxy.publicUrl };
    const service = await startService('sqlite', { environment });
    context.after(service.stop);
    proxy.target = service.api.url;
    /** Waits for the message with this number, and returns its link. */
    const linkOfMessage = async (count: number) => {
      await smtp.waitFor(count);
      return /https?:\/\/\S+\/account\/\S+/.exec(smtp.received[count - 1]!.text!)![0];
    };
    return { service, smtp, proxy, linkOfMessage };
  }

  test('a delivered link verifies the email, and resets the password whatever the Host header was (poisoned link)', async (context) => {
    const { service, proxy, linkOfMessage } = await startWithMail(context);
    const person = await register(service);
    const verification = await linkOfMessage(1);
    const first = await open(context, verification);
    assert.ok((await first.page.locator('main').innerText()).includes(person.email));
    await pressButton(first.page);
    assert.equal(first.page.url(), `${proxy.publicUrl}/account/email-verified`);
    const record = await service.api.get(`/api/v1/users/${person.id}`, { token: ADMIN_TOKEN });
    assert.notEqual(record.body.data.email_verified_at, null);

    const poisoned = ['Content-Type: application/json', 'X-Forwarded-Host: evil.example'];
    const body = JSON.stringify({ email: person.email });
    const request = rawRequest('POST', '/api/v1/password-resets', poisoned, body).toString();
    const sent = request.replace('Host: localhost', 'Host: evil.example');
    assert.equal((await sendRawOnce(service.api.url, sent)).status, 202);
    const reset = await linkOfMessage(2);
    assert.ok(reset.startsWith(`${proxy.publicUrl}/account/reset-password/`), 'the Host header is not used');
    // A scanner of the mail server opens the link first.
    assert.equal((await fetch(reset)).status, 200);
    const { page, errors } = await open(context, reset);
    await submitPassword(page, NEW);
    assert.equal(page.url(), `${proxy.publicUrl}/account/password-set`);
    assert.deepEqual(errors, []);
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
    assert.equal((await fetch(reset)).status, 404);
  });
});
