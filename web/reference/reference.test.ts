import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { operations } from '../../test/support/description.ts';
import { startService } from '../../test/support/service.ts';
import { openapi } from './example-description.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Returns the file and the media type of a path, as the service serves them. */
function fileAt(path: string): readonly [file: string, mediaType: string] | undefined {
  if (path === '/docs') return ['index.html', 'text/html; charset=utf-8'];
  const [, file, extension] = /^\/docs\/assets\/([\w-]+\.(css|js))$/.exec(path) ?? [];
  if (file === undefined) return undefined;
  return [file, extension === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'];
}

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** Serves the page and a description of the API, and returns the origin. */
async function serve(t: TestContext, status: number, description: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const [file, mediaType] = fileAt(request.url ?? '') ?? [undefined, 'application/json'];
    const known = file || request.url === '/openapi.json' ? (file ? 200 : status) : 404;
    response.writeHead(known, { 'content-type': mediaType, 'content-security-policy': policy });
    response.end(file ? await readFile(join(import.meta.dirname, file)) : description);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Visit {
  readonly page: Page;
  readonly origin: string;
  /** URLs of all requests that the page made. */
  readonly requests: string[];
  /** Console errors and uncaught exceptions, including violations of the content security policy. */
  readonly errors: string[];
}

interface VisitOptions extends BrowserContextOptions {
  /** Of the service that has the page; without it, one that serves `description`. */
  readonly origin?: string;
  readonly path?: string;
  readonly status?: number;
  readonly description?: string;
}

/** Opens the reference and waits until it has rendered the description, or the error message. */
async function visit(t: TestContext, options: VisitOptions = {}): Promise<Visit> {
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

/** Returns the visible text of the matching elements, with white space collapsed. */
async function textAt(page: Page, selector: string | Locator): Promise<string> {
  const texts = await (typeof selector === 'string' ? page.locator(selector) : selector).allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the table row of a member, parameter or header of an operation. */
function rowOf(page: Page, id: string, label: string): Locator {
  const name = page.locator('th code', { hasText: new RegExp(`^${RegExp.escape(label)}$`) });
  return page.locator(`#${id} tr`).filter({ has: name });
}

const operationIds = ['register', 'readMe', 'readUser', 'deleteUser', 'validateForm'];

test('renders every operation, grouped by tag, with a navigation link to each', async (t) => {
  const { page } = await visit(t);
  const rendered = await page.locator('section.operation').evaluateAll((all) => all.map((each) => each.id));
  const links = await page
    .locator('nav[aria-label=Operations] li li a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  assert.deepEqual(rendered, operationIds);
  assert.deepEqual(
    links,
    operationIds.map((id) => `#${id}`),
  );
  assert.deepEqual(await page.locator('main h2').allInnerTexts(), ['Accounts', 'Users', 'Forms']);
  assert.match(await textAt(page, 'nav a[href="#deleteUser"]'), /^DELETE \/api\/v1\/users\/\{id\}$/);
});

test('renders the description of the service with the assets that the service serves', async (t) => {
  const { service, stop } = await startService('sqlite');
  t.after(stop);
  const { page, errors } = await visit(t, { origin: service.address });
  const rendered = await page.locator('section.operation').evaluateAll((all) => all.map((each) => each.id));
  assert.deepEqual(rendered.sort(), operations.map(({ operation }) => operation.operationId).sort());
  assert.match(await textAt(page, '#register summary:has-text("409")'), /^409 Conflict: email_taken, \w+$/);
  assert.deepEqual(errors, []);
});

test('sends requests to its own origin only and logs no errors to the console', async (t) => {
  const { origin, requests, errors } = await visit(t);
  const paths = requests.filter((address) => !address.startsWith('data:'));
  assert.deepEqual(
    paths.map((address) => new URL(address).origin),
    paths.map(() => origin),
  );
  assert.ok(paths.includes(`${origin}/openapi.json`));
  assert.deepEqual(errors, []);
});

test('shows markup inside the description as text', async (t) => {
  const { page } = await visit(t);
  assert.equal(await page.locator('main img').count(), 0);
  assert.match(await textAt(page, '.introduction'), /<img src="https:\/\/elsewhere\.invalid\/x"/);
  assert.equal(await page.title(), 'Example API');
  assert.equal(await page.locator('.introduction a').getAttribute('href'), '/docs/problems');
});

test('scrolls to the operation of a deep link on load and moves the focus there', async (t) => {
  const { page } = await visit(t, { path: '/docs#readUser' });
  await page.waitForFunction(() => document.activeElement?.id === 'readUser');
  const top = await page.locator('#readUser').evaluate((section) => section.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `the operation starts ${top} px below the top of the window`);
});

test('moves the focus to an operation when its navigation link is followed', async (t) => {
  const { page } = await visit(t);
  await page.locator('nav a[href="#validateForm"]').press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'validateForm');
});

test('shows type, constraints, required and deprecated of each member', async (t) => {
  const { page } = await visit(t);
  const row = (id: string, label: string) => textAt(page, rowOf(page, id, label));
  assert.equal(await row('register', 'email'), 'email required string (email) at most 255 characters');
  assert.equal(await row('register', 'level'), 'level deprecated any Accepted and ignored.');
  assert.match(await row('readMe', 'level'), /^level string or null at most 255 characters Set by/);
  assert.match(await row('readMe', 'invited_by'), /^invited_by User or null/);
  assert.match(
    await row('validateForm', 'fields[].label'),
    /required string 3 to 50 characters pattern \^\[a-z/,
  );
  assert.match(await row('validateForm', 'fields[].type'), /string one of "text", "number", "email"/);
  assert.equal(await row('validateForm', 'fields[].language'), 'fields[].language string one of 13 values');
  assert.match(await row('validateForm', 'limit'), /^limit query integer 1 to 100 default 20/);
  assert.match(await row('register', 'Location'), /^Location string \(uri-reference\) URL of it/);
});

test('renders a recursive schema once', async (t) => {
  const { page } = await visit(t);
  assert.equal(
    await textAt(page, rowOf(page, 'validateForm', 'fields[].children')),
    'fields[].children array of Field',
  );
  assert.equal(await rowOf(page, 'validateForm', 'fields[].children[].label').count(), 0);
  assert.equal(await textAt(page, '#deleteUser summary:has-text("default")'), 'default Anything');
});

test('shows who may call each operation', async (t) => {
  const { page } = await visit(t);
  const access = await Promise.all(operationIds.map((id) => textAt(page, `#${id} .access`)));
  assert.deepEqual(access, [
    'May call: Anyone',
    'May call: A signed-in user · userToken (http bearer) with scope profile:read',
    'May call: The administrator · adminToken (http bearer)',
    'May call: The administrator · adminToken (http bearer)',
    'May call: Anyone; a credential is checked if sent · userToken (http bearer)',
  ]);
});

test('lists the codes of an error response, with links to their documentation', async (t) => {
  const { page } = await visit(t);
  assert.equal(
    await textAt(page, '#register summary:has-text("400")'),
    '400 The body is not valid invalid_payload validation_failed',
  );
  await page.locator('#register summary:has-text("409")').press('Enter');
  const link = page.locator('#register details[open] a:has-text("email_taken")');
  assert.equal(await link.getAttribute('href'), '/docs/problems#email_taken');
  assert.match(await textAt(page, '#register details[open] pre'), /"code": "email_taken"/);
});

test('renders responses, headers, examples and parameters that are references to components', async (t) => {
  const { page } = await visit(t);
  const summary = page.locator('summary', { hasText: '409' });
  const response = page.locator('#register details').filter({ has: summary });
  assert.equal(await textAt(page, response.locator('summary')), '409 Conflict: email_taken');
  await response.locator('summary').press('Enter');
  assert.match(await textAt(page, response.locator('table').last()), /X-Request-Id string Id of the request/);
  assert.equal(
    await textAt(page, response.locator('.problem')),
    'email_taken The email has already been taken.',
  );
  assert.match(
    await textAt(page, rowOf(page, 'register', 'Idempotency-Key')),
    /^Idempotency-Key header string/,
  );
});

test('shows a curl command with method, credential, headers and example, quoted for the shell', async (t) => {
  const { page, origin } = await visit(t);
  const curl = (id: string) => page.locator(`#${id} pre[aria-label=curl]`).innerText();
  assert.equal(
    await curl('register'),
    `curl -X POST '${origin}/api/register' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n` +
      `  "name": "Ada O'\\''Neil",\n  "email": "ada@example.com",\n  "password": "correct horse"\n}'`,
  );
  assert.match(
    await curl('readUser'),
    /^curl 'http[^']+\/users\/[0-9a-f-]{36}' \\\n {2}-H "Authorization: Bearer \$ADMIN_TOKEN"$/,
  );
  assert.match(await curl('readMe'), /Bearer \$ACCESS_TOKEN"$/);
});

test('copies the curl command to the clipboard', async (t) => {
  const { page } = await visit(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#readMe button').first().click();
  await page.locator('[role=status]:has-text("Copied")').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl 'http.*\/api\/v1\/me'/);
});

test('has headings without a skipped level and a name for every landmark', async (t) => {
  const { page } = await visit(t);
  const levels = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `a heading of level ${level} follows one of level ${before}`);
    return level;
  }, 0);
  for (const name of ['Documents', 'Operations']) {
    assert.equal(await page.getByRole('navigation', { name, exact: true }).count(), 1);
  }
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
});

test('fits a window 360 pixels wide without horizontal scrolling, with the menu closed', async (t) => {
  const { page } = await visit(t, { viewport: { width: 360, height: 740 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.locator('nav a[href="#register"]').isVisible(), false);
  assert.ok((await page.getByRole('cell').count()) > 10);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility violation that axe finds in the ${colorScheme} color scheme`, async (t) => {
    const { page } = await visit(t, { colorScheme });
    for (const response of await page.locator('details.response').all()) {
      await response.evaluate((details) => details.setAttribute('open', ''));
    }
    // Not as a script element, which the policy of the page forbids.
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const results: AxeResults = await (window as unknown as { axe: typeof axe }).axe.run();
      return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    assert.deepEqual(violations, []);
  });
}

test('follows the light or dark color scheme of the system', async (t) => {
  const background = async (colorScheme: 'light' | 'dark') => {
    const { page } = await visit(t, { colorScheme });
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  assert.equal(await background('light'), 'rgb(253, 253, 252)');
  assert.equal(await background('dark'), 'rgb(21, 23, 26)');
});

for (const [name, status, description, reason] of [
  ['is an error response', 503, '{}', /the server responded with 503/],
  ['is not JSON', 200, '<html>', /JSON/],
  ['has no paths', 200, '{"openapi":"3.1.0"}', /not an OpenAPI document/],
] as const) {
  test(`shows an error message when openapi.json ${name}`, async (t) => {
    const { page } = await visit(t, { status, description });
    const message = await page.getByRole('alert').innerText();
    assert.match(message, /could not be read/);
    assert.match(message, reason);
    assert.equal(await page.getByRole('alert').getByRole('link').getAttribute('href'), '/openapi.json');
  });
}
