/** Opens the API reference in a real browser. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { readManifest, WEB_DIRECTORIES } from '../../../src/features/pages/assets/assets.ts';
import { PAGE_HEADERS, renderShell } from '../../../src/features/pages/console/shell.ts';
import { openBrowser } from './browser.ts';
// It has one of everything that the reference shows.
import openapi from './example-openapi.json' with { type: 'json' };

const SHELL = {
  entry: 'reference',
  title: 'API reference',
  basePath: '',
  hasConsole: true,
  hasSignIn: true,
  serviceName: 'Frontdesk',
  logo: null,
} as const;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript',
};

export interface Visit {
  readonly page: Page;
  readonly origin: string;
  /** URLs of all requests that the page made. */
  readonly requests: string[];
  /** Console errors and uncaught exceptions, including violations of the content security policy. */
  readonly errors: string[];
}

interface VisitOptions extends BrowserContextOptions {
  /** Origin of a service that has the page; without it, a server that responds with `description`. */
  readonly origin?: string;
  readonly path?: string;
  readonly status?: number;
  readonly description?: string;
}

/** The context of visits without options: what they store belongs to their origin, which each visit has to itself. */
let reused: BrowserContext | undefined;

/** Opens the reference and waits until it has rendered the description, or the error message. */
export async function visitReference(t: TestContext, options: VisitOptions = {}): Promise<Visit> {
  const { path = '/docs', status = 200, description = JSON.stringify(openapi), ...contextOptions } = options;
  const { origin = await serve(t, status, description), ...browserOptions } = contextOptions;
  const isReusable = Object.keys(browserOptions).length === 0;
  const context =
    (isReusable ? reused : undefined) ?? (await (await openBrowser()).newContext(browserOptions));
  if (isReusable) reused = context;
  const page = await context.newPage();
  t.after(async () => {
    if (!isReusable) return context.close();
    await context.clearCookies();
    await page.close();
  });
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  // The browser reports that there is no session of the console.
  const isExpected = (text: string) => /status of 40[14]/.test(text);
  page.on(
    'console',
    (entry) => entry.type() === 'error' && !isExpected(entry.text()) && errors.push(entry.text()),
  );
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(origin + path);
  await page.locator('main h1').waitFor();
  if (!path.includes('#')) await layOutAll(page);
  return { page, origin, requests, errors };
}

/** Lays out the operations that are out of view, too: otherwise, they have no text for `innerText` and for axe. */
function layOutAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.operation { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** Serves the page as the service does, with another description of the API. Returns the origin. */
async function serve(t: TestContext, status: number, description: string): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const file = /^\/assets\/([\w-]+\.(?:css|js|svg))$/.exec(url)?.[1];
    if (url === '/docs') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS });
      response.end(renderShell({ ...SHELL, withoutScripts: '' }, readManifest()));
    } else if (file !== undefined) {
      response.writeHead(200, { 'content-type': MEDIA_TYPES[extname(file)] });
      response.end(await readFile(join(WEB_DIRECTORIES.bundles, file)));
    } else {
      const headers = { 'content-type': 'application/json', 'x-request-id': randomUUID() };
      response.writeHead(url === '/openapi.json' ? status : 404, headers).end(description);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the visible text of the matching elements, with white space collapsed. */
export async function textAt(page: Page, selector: string | Locator): Promise<string> {
  const texts = await (typeof selector === 'string' ? page.locator(selector) : selector).allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the item of a member, parameter or header of an operation. */
export function findRow(page: Page, id: string, label: string): Locator {
  const name = page.locator('.name', { hasText: new RegExp(`^${RegExp.escape(label)}$`) });
  return page.locator(`#${id} .members > li`).filter({ has: name });
}
