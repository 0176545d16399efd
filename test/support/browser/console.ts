/** Opens the console of a running service in a real browser, as a signed-in administrator. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../../src/callers/admin-scopes.ts';
import { signInAs } from '../administrators.ts';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';
import { axeViolations } from './accessibility.ts';
import { openBrowser } from './browser.ts';
import { fromConsole, SESSION_PATH, signIn } from './console-session.ts';

export interface ConsoleVisit {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface ConsoleOptions extends BrowserContextOptions {
  readonly isSignedIn?: boolean;
  /** Of a new person who is signed in; without one, ADMIN_TOKEN is. */
  readonly role?: Role;
}

export type VisitConsole = (t: TestContext, path: string, options?: ConsoleOptions) => Promise<ConsoleVisit>;

/**
 * Returns a function that opens a path of the service's pages. After each test, errors of the page, violations of its
 * content security policy and requests to other origins fail it.
 */
export function useConsole(service: TestService): VisitConsole {
  let reused: BrowserContext | undefined;
  return async (t, path, { isSignedIn = true, role, ...options } = {}) => {
    const { url } = service.service;
    const isReusable = Object.keys(options).length === 0;
    const context = (isReusable ? reused : undefined) ?? (await newContext(url, options));
    if (isReusable) reused = context;
    if (isSignedIn) await signInBrowser(context, service, role);
    const page = await context.newPage();
    const faults = watch(page, new URL(path, url).origin);
    t.after(async () => {
      await (isReusable ? clear(context, url) : context.close());
      assert.deepEqual(faults, []);
    });
    await page.goto(path);
    return { page, context };
  };
}

async function newContext(baseURL: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return (await openBrowser()).newContext({ baseURL, viewport: WIDE, ...options });
}

/** Leaves a context as a new one is: opening one for each test takes longer than most tests. */
async function clear(context: BrowserContext, origin: string): Promise<void> {
  const [page, ...others] = context.pages();
  await context.setOffline(false);
  await context.clearCookies();
  if (page === undefined) return;
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  // Otherwise a page that loads itself again meanwhile, as after signing out, may never close.
  await devTools.detach();
  await Promise.all([page, ...others].map((each) => each.close()));
}

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 320, height: 640 };

/** Signs in without the form. The cookie is Secure, which the browser accepts from 127.0.0.1 over plain HTTP. */
export async function signInBrowser(
  context: BrowserContext,
  service: TestService,
  role?: Role,
): Promise<void> {
  if (role !== undefined) return signInWithRole(context, service, role);
  const [name, value] = (await signIn(service)).split('=') as [string, string];
  // Playwright refuses a Secure cookie for a URL with http.
  const url = service.service.url.replace(/^http:/, 'https:');
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }]);
}

async function signInWithRole(context: BrowserContext, service: TestService, role: Role): Promise<void> {
  const { cookie } = await signInAs(service, role);
  const [name, value] = cookie.split('=') as [string, string];
  const { url } = service.service;
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
}

/** Ends the session of a browser that is signed in, as signing out elsewhere with the same cookie does. */
export async function endSession({ api }: TestService, context: BrowserContext): Promise<void> {
  const [cookie] = await context.cookies();
  const { status } = await api.delete(SESSION_PATH, fromConsole(`${cookie?.name}=${cookie?.value}`));
  assert.equal(status, 204);
}

/** Collects what must not happen on any page. */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:'))
      faults.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (entry) => {
    // The browser itself reports a response with an error status, and requests while it is offline.
    const isExpected = /the server responded with a status|net::ERR_/.test(entry.text());
    if (entry.type() === 'error' && !isExpected) faults.push(entry.text());
  });
  return faults;
}

/**
 * Checks a view: axe finds nothing on a phone, parts that scroll have the focus on a wide screen, and the page does not
 * scroll sideways on either. The pictures of the slow suite check most views in both colour schemes.
 */
export async function checkView(page: Page): Promise<void> {
  // Without transitions, in the middle of which colours have less contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(NARROW);
  await checkAccessibility(page);
  await page.setViewportSize(WIDE);
  assert.deepEqual(await axeViolations(page, 'scrolling'), []);
  await checkWidth(page);
}

/** Checks that axe finds nothing, and that the page does not scroll sideways. */
export async function checkAccessibility(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page), []);
  await checkWidth(page);
}

/** Waits, because charts are drawn anew after the page has got its width. */
async function checkWidth(page: Page): Promise<void> {
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await until(fits, 'the page fits the window');
}

/** Runs `work` while the device is offline, and every request of the page to the API fails. */
export async function whileOffline(
  { page, context }: ConsoleVisit,
  work: () => Promise<void>,
): Promise<void> {
  await page.route('**/api/**', (route) => route.abort('internetdisconnected'));
  await context.setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await work();
  await context.setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await page.unroute('**/api/**');
}
