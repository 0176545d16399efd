/** Opens the pages that links lead to in a browser without JavaScript, and checks their states. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { LINK_PATHS } from '../../../src/features/mail/links/links.ts';
import type { LinkKind } from '../../../src/features/mail/links/queries.ts';
import { limited, newClientIp } from '../limits.ts';
import { createTestLink } from '../processes/recovery.ts';
import { newUserData, type TestService } from '../service.ts';
import { createUnclaimedUser, insertTestUser } from '../users.ts';
import { axeViolations } from './accessibility.ts';
import { openBrowser } from './browser.ts';
import { NARROW, WIDE } from './console.ts';
import { tabTo } from './keyboard.ts';

export const NEW_PASSWORD = 'paper lantern under the bridge';

interface OpenedPage {
  readonly page: Page;
  readonly requests: string[];
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  /** Lets axe-core, which is JavaScript, run in the page. */
  readonly enableJavaScript: () => Promise<unknown>;
}

/** Opens a page without JavaScript, from a network of its own. */
export async function openLinkPage(context: TestContext, url: string, locale = 'en-GB'): Promise<OpenedPage> {
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
export const MAX_PRESSES = 10;

export async function pressButton(page: Page): Promise<void> {
  await tabTo(page, 'button', MAX_PRESSES);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

async function submitText(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector, MAX_PRESSES);
  await page.keyboard.type(text);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

export const submitPassword = (page: Page, password: string) => submitText(page, '[name=password]', password);

export async function createLinkUrl(
  service: TestService,
  kind: LinkKind,
  user?: { id: string; email: string },
) {
  const { database } = service;
  const person =
    user ?? (kind === 'claim_account' ? await createUnclaimedUser(service) : await insertTestUser(database));
  return `${service.api.url}${LINK_PATHS[kind]}${await createTestLink(service, kind, { user: person })}`;
}

/** The heading, what returns the URL to open, and what reaches the state from there, by keyboard alone. */
type State = readonly [
  heading: string,
  getUrl: (service: TestService) => Promise<string>,
  reach?: (page: Page, service: TestService) => Promise<void>,
];

const link = (kind: LinkKind) => (service: TestService) => createLinkUrl(service, kind);
const page = (path: string) => async (service: TestService) => service.api.url + path;
export const getUnknownUrl = (kind: LinkKind) => async (service: TestService) =>
  `${service.api.url}${LINK_PATHS[kind]}x`;
export const submitBlankPassword = (page: Page) => submitPassword(page, '                ');
const submitNewPassword = (page: Page) => submitPassword(page, NEW_PASSWORD);

async function createLinkToNewAddress(service: TestService, email: string): Promise<string> {
  const { id } = await insertTestUser(service.database);
  return createLinkUrl(service, 'change_email', { id, email });
}

async function createLinkToTakenAddress(service: TestService): Promise<string> {
  const owner = await insertTestUser(service.database);
  return createLinkToNewAddress(service, owner.email!);
}

const INVALID = 'This link is not valid';

export const STATES: Readonly<Record<string, State>> = {
  'reset-password': ['Choose a new password', link('reset_password')],
  claim: ['Set up your account', link('claim_account')],
  'verify-email': ['Confirm your email address', link('verify_email')],
  'change-email': ['Confirm your new email address', link('change_email')],
  'password-rejected': [
    'Choose a new password',
    link('reset_password'),
    (page) => submitPassword(page, '12345678901234567890'),
  ],
  'password-blank': ['Set up your account', link('claim_account'), submitBlankPassword],
  'password-set': ['Your password is set', link('reset_password'), submitNewPassword],
  'account-claimed': ['Your password is set', link('claim_account'), submitNewPassword],
  'email-verified': ['Your email address is verified', link('verify_email'), pressButton],
  'email-changed': [
    'Your email address is changed',
    (service) => createLinkToNewAddress(service, newUserData().email),
    pressButton,
  ],
  'email-taken': ['Another account has this email address', createLinkToTakenAddress, pressButton],
  'invalid-reset-password': [INVALID, getUnknownUrl('reset_password')],
  'invalid-claim': [INVALID, getUnknownUrl('claim_account')],
  'invalid-verify-email': [INVALID, getUnknownUrl('verify_email')],
  'invalid-change-email': [INVALID, getUnknownUrl('change_email')],
  'request-reset': ['Request a new password', page('/account/reset-password')],
  'request-verification': ['Request a new link', page('/account/verify-email')],
  'request-rejected': ['Request a new password', page('/account/reset-password'), pressButton],
  'link-requested': [
    'Check your email',
    page('/account/verify-email'),
    (page) => submitText(page, 'input', 'nobody@example.com'),
  ],
  'too-many-attempts': ['Too many attempts', link('reset_password'), useUpAttempts],
};

/** Sends one form more than the service under test accepts. */
export async function useUpAttempts(page: Page): Promise<void> {
  for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) await submitBlankPassword(page);
}

/** Makes the service unusable. */
export const FAILED: State = [
  'Something went wrong',
  link('verify_email'),
  async (page, service) => {
    await service.database.close();
    await pressButton(page);
  },
];

const MAX_ATTEMPTS = 2;
/** Options of the service that has the states. */
export const STATE_OPTIONS = limited({
  MAIL_TO_LOG: 'true',
  PASSWORD_POLICY: 'nist',
  RATE_LIMIT_PASSWORD_RESET: `${MAX_ATTEMPTS}/3600`,
});

export async function checkState(context: TestContext, service: TestService, state: State) {
  const [heading, getUrl, reach] = state;
  const opened = await openLinkPage(context, await getUrl(service));
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

export async function checkAppearance(page: Page, language = 'en'): Promise<void> {
  assert.equal(await page.locator('main').count(), 1);
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  for (const [colorScheme, viewport, rules] of [
    ['light', WIDE, 'all'],
    ['dark', NARROW, 'appearance'],
  ] as const) {
    // Without transitions, in the middle of which colours have less contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
    assert.deepEqual(await axeViolations(page, rules), []);
  }
}

/** End of the titles of the tests of states. */
export const CHECKS =
  'is reached by keyboard, without JavaScript and without requests to elsewhere, is accessible, and fits windows of 320 and 1280 pixels, light and dark';
