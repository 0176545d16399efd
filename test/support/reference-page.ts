/** Opens the API reference in a real browser. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openapi } from '../../web/reference/example-description.ts';
import { openBrowser } from './browser.ts';

const DIRECTORY = join(import.meta.dirname, '../../web/reference');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

export type VisitReference = (t: TestContext, options?: VisitOptions) => Promise<Visit>;

/** Opens a browser for the tests of a file. Returns a function that opens the reference in it. */
export function useReferencePage(): VisitReference {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());
  return (t, options = {}) => visit(t, browser, options);
}

/** Opens the reference and waits until it has rendered the description, or the error message. */
async function visit(t: TestContext, browser: Browser, options: VisitOptions): Promise<Visit> {
  const { path = '/docs', status = 200, description = JSON.stringify(openapi), ...contextOptions } = options;
  const { origin = await serve(t, status, description), ...browserOptions } = contextOptions;
  const context = await browser.newContext(browserOptions);
  t.after(() => context.close());
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (entry) => entry.type() === 'error' && errors.push(entry.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(origin + path);
  await page.locator('main h1').waitFor();
  return { page, origin, requests, errors };
}

/** Serves the page and a description of the API, and returns the origin. */
async function serve(t: TestContext, status: number, description: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const [file, mediaType] = fileAt(request.url ?? '') ?? [undefined, 'application/json'];
    const known = file || request.url === '/openapi.json' ? (file ? 200 : status) : 404;
    response.writeHead(known, { 'content-type': mediaType, 'content-security-policy': POLICY });
    response.end(file ? await readFile(join(DIRECTORY, file)) : description);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the file and the media type of a path, as the service serves them. */
function fileAt(path: string): readonly [file: string, mediaType: string] | undefined {
  if (path === '/docs') return ['index.html', 'text/html; charset=utf-8'];
  const [, file, extension] = /^\/docs\/assets\/([\w-]+\.(css|js))$/.exec(path) ?? [];
  if (file === undefined) return undefined;
  return [file, extension === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'];
}

/** Returns the visible text of the matching elements, with white space collapsed. */
export async function textAt(page: Page, selector: string | Locator): Promise<string> {
  const texts = await (typeof selector === 'string' ? page.locator(selector) : selector).allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the table row of a member, parameter or header of an operation. */
export function rowOf(page: Page, id: string, label: string): Locator {
  const name = page.locator('th code', { hasText: new RegExp(`^${RegExp.escape(label)}$`) });
  return page.locator(`#${id} tr`).filter({ has: name });
}
