import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';

const bearer = (name: string, scopes: string[] = []) => [{ [name]: scopes }];
const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (content: object) => ({ 'application/json': content });
const errorResponses = (description: string, codes: Record<string, string>) => ({
  description,
  content: json({
    schema: schema('Problem'),
    examples: Object.fromEntries(
      Object.entries(codes).map(([code, error]) => [code, { summary: error, value: { error, code } }]),
    ),
  }),
});

const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Example API',
    version: '1.4.0',
    description:
      'Accounts, tokens and forms behind one JSON API.\n\nErrors carry a stable `code`: see [problems](/docs/problems).\n\n' +
      '<img src="https://elsewhere.invalid/x" onerror="document.title = \'broken\'">',
  },
  tags: [
    { name: 'Accounts', description: 'People register, sign in and read who they are.' },
    { name: 'Users', description: 'The administrator sees everybody.' },
    { name: 'Forms', description: 'Form definitions and what is wrong with them.' },
  ],
  security: bearer('userToken'),
  paths: {
    '/api/register': {
      post: {
        operationId: 'register',
        tags: ['Accounts'],
        summary: 'Register an account',
        description:
          'Creates the account and its first token.\n\n- `email` is unique\n- the token is shown once',
        security: [],
        'x-access': 'public',
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: {
          required: true,
          content: json({
            schema: schema('Registration'),
            example: { name: "Ada O'Neil", email: 'ada@example.com', password: 'correct horse' },
          }),
        },
        responses: {
          201: {
            description: 'The account exists',
            headers: {
              Location: { description: 'Where it is', schema: { type: 'string', format: 'uri-reference' } },
            },
            content: json({
              schema: schema('Token'),
              example: { access_token: 'fd_8Jq2', token_type: 'Bearer' },
            }),
          },
          400: errorResponses('The body is not acceptable', {
            invalid_payload: 'Invalid request payload',
            validation_failed: 'The given data was invalid.',
          }),
          409: errorResponses('Somebody has this address', {
            email_taken: 'The email has already been taken.',
          }),
        },
      },
    },
    '/api/v1/me': {
      get: {
        operationId: 'readMe',
        tags: ['Accounts'],
        summary: 'Read the signed-in user',
        security: [{ userToken: ['profile:read'] }],
        responses: { 200: { description: 'The user', content: json({ schema: schema('User') }) } },
      },
    },
    '/api/v1/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      get: {
        operationId: 'readUser',
        tags: ['Users'],
        summary: 'Read a user',
        'x-access': 'admin',
        security: bearer('adminToken'),
        responses: {
          200: { description: 'The user', content: json({ schema: schema('User') }) },
          404: errorResponses('No such user', { user_not_found: 'User not found' }),
        },
      },
      delete: {
        operationId: 'deleteUser',
        tags: ['Users'],
        summary: 'Delete a user',
        deprecated: true,
        security: bearer('adminToken'),
        responses: {
          204: { description: 'Gone' },
          default: {
            description: 'Anything',
            content: json({ schema: { oneOf: [schema('Itself'), schema('OwnPart')] } }),
          },
        },
      },
    },
    '/api/v1/forms/validate': {
      post: {
        operationId: 'validateForm',
        tags: ['Forms'],
        summary: 'Check form fields',
        'x-access': 'optional',
        security: [{}, { userToken: [] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        ],
        requestBody: { content: json({ schema: schema('Form') }) },
        responses: {
          200: {
            description: 'What is wrong',
            content: json({ schema: { type: 'array', items: { type: 'string' } } }),
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      userToken: { type: 'http', scheme: 'bearer' },
      adminToken: { type: 'http', scheme: 'bearer' },
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'A repeated call with the same key gets the stored answer.',
        schema: { type: 'string', maxLength: 255 },
      },
    },
    schemas: {
      Registration: {
        type: 'object',
        required: ['name', 'email', 'password'],
        properties: {
          name: { type: 'string', maxLength: 255, description: 'What the person is called.' },
          email: { type: 'string', format: 'email', maxLength: 255 },
          password: { type: 'string', minLength: 8, writeOnly: true },
          level: { description: 'Accepted and ignored.', deprecated: true },
        },
      },
      Token: {
        type: 'object',
        required: ['access_token', 'token_type'],
        properties: { access_token: { type: 'string' }, token_type: { const: 'Bearer' } },
      },
      User: {
        allOf: [
          { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
          {
            properties: {
              level: { type: ['string', 'null'], maxLength: 255, description: 'Set by the administrator.' },
              invited_by: { anyOf: [schema('User'), { type: 'null' }], description: 'Who asked them in.' },
            },
          },
        ],
      },
      Form: {
        type: 'object',
        required: ['fields'],
        properties: { fields: { type: 'array', minItems: 1, items: schema('Field') } },
      },
      Field: {
        type: 'object',
        required: ['label', 'type', 'is_required'],
        properties: {
          label: { type: 'string', minLength: 3, maxLength: 50, pattern: '^[a-zA-Z0-9_-]+$' },
          type: { enum: ['text', 'number', 'email', 'date', 'checkbox'] },
          is_required: { type: 'boolean' },
          children: { type: 'array', items: schema('Field') },
        },
      },
      Problem: {
        type: 'object',
        required: ['error', 'code'],
        properties: { error: { type: 'string' }, code: { type: 'string' } },
      },
      Itself: { $ref: '#/components/schemas/Itself' },
      OwnPart: { allOf: [schema('OwnPart')], anyOf: [schema('OwnPart')] },
    },
  },
};

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const files: Record<string, [file: string, mediaType: string]> = {
  '/docs': ['index.html', 'text/html; charset=utf-8'],
  '/docs/assets/reference.css': ['reference.css', 'text/css; charset=utf-8'],
  '/docs/assets/reference.js': ['reference.js', 'text/javascript; charset=utf-8'],
};

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** Serves the page beside a description of the API, and gives the origin. */
async function serve(t: TestContext, status: number, description: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const [file, mediaType] = files[request.url ?? ''] ?? [undefined, 'application/json'];
    const answered = file || request.url === '/openapi.json' ? (file ? 200 : status) : 404;
    response.writeHead(answered, { 'content-type': mediaType, 'content-security-policy': policy });
    response.end(file ? await readFile(join(import.meta.dirname, file)) : description);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Visit {
  readonly page: Page;
  readonly origin: string;
  /** Addresses of all requests that the page made. */
  readonly requests: string[];
  /** Console errors and uncaught exceptions, a refusal by the policy among them. */
  readonly errors: string[];
}

interface VisitOptions extends BrowserContextOptions {
  readonly path?: string;
  readonly status?: number;
  readonly description?: string;
}

/** Opens the reference and waits until it has drawn the description, or its failure. */
async function visit(t: TestContext, options: VisitOptions = {}): Promise<Visit> {
  const { path = '/docs', status = 200, description = JSON.stringify(openapi), ...contextOptions } = options;
  const origin = await serve(t, status, description);
  const context = await browser.newContext(contextOptions);
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

/** The visible text of what a selector finds, with runs of white space drawn together. */
async function textAt(page: Page, selector: string | Locator): Promise<string> {
  const texts = await (typeof selector === 'string' ? page.locator(selector) : selector).allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The row of an operation's tables that a member, parameter or header has. */
function rowOf(page: Page, id: string, label: string): Locator {
  const name = page.locator('th code', { hasText: new RegExp(`^${RegExp.escape(label)}$`) });
  return page.locator(`#${id} tr`).filter({ has: name });
}

const operationIds = ['register', 'readMe', 'readUser', 'deleteUser', 'validateForm'];

test('every operation is drawn, and the navigation leads to it, grouped by tag', async (t) => {
  const { page } = await visit(t);
  const drawn = await page.locator('section.operation').evaluateAll((all) => all.map((each) => each.id));
  const links = await page
    .locator('nav[aria-label=Operations] li li a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  assert.deepEqual(drawn, operationIds);
  assert.deepEqual(
    links,
    operationIds.map((id) => `#${id}`),
  );
  assert.deepEqual(await page.locator('main h2').allInnerTexts(), ['Accounts', 'Users', 'Forms']);
  assert.match(await textAt(page, 'nav a[href="#deleteUser"]'), /^DELETE \/api\/v1\/users\/\{id\}$/);
});

test('the page asks its own origin only and the console stays free of errors', async (t) => {
  const { origin, requests, errors } = await visit(t);
  const paths = requests.filter((address) => !address.startsWith('data:'));
  assert.deepEqual(
    paths.map((address) => new URL(address).origin),
    paths.map(() => origin),
  );
  assert.ok(paths.includes(`${origin}/openapi.json`));
  assert.deepEqual(errors, []);
});

test('markup inside the description is shown as text', async (t) => {
  const { page } = await visit(t);
  assert.equal(await page.locator('main img').count(), 0);
  assert.match(await textAt(page, '.introduction'), /<img src="https:\/\/elsewhere\.invalid\/x"/);
  assert.equal(await page.title(), 'Example API');
  assert.equal(await page.locator('.introduction a').getAttribute('href'), '/docs/problems');
});

test('a deep link scrolls to its operation on load and moves the focus there', async (t) => {
  const { page } = await visit(t, { path: '/docs#readUser' });
  await page.waitForFunction(() => document.activeElement?.id === 'readUser');
  const top = await page.locator('#readUser').evaluate((section) => section.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `the operation begins ${top} px below the top of the window`);
});

test('a link of the navigation moves the focus to its operation', async (t) => {
  const { page } = await visit(t);
  await page.locator('nav a[href="#validateForm"]').press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'validateForm');
});

test('members say type, limits, whether they are required, null and deprecated', async (t) => {
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
  assert.match(await row('validateForm', 'limit'), /^limit query integer 1 to 100 default 20/);
  assert.match(await row('register', 'Location'), /^Location string \(uri-reference\) Where it is/);
});

test('a schema that leads back to itself is drawn once', async (t) => {
  const { page } = await visit(t);
  assert.equal(
    await textAt(page, rowOf(page, 'validateForm', 'fields[].children')),
    'fields[].children array of Field',
  );
  assert.equal(await rowOf(page, 'validateForm', 'fields[].children[].label').count(), 0);
  assert.equal(await textAt(page, '#deleteUser summary:has-text("default")'), 'default Anything');
});

test('each operation says who may call it', async (t) => {
  const { page } = await visit(t);
  const access = await Promise.all(operationIds.map((id) => textAt(page, `#${id} .access`)));
  assert.deepEqual(access, [
    'May call: Anyone',
    'May call: A signed-in user · userToken (http bearer) with scope profile:read',
    'May call: The administrator · adminToken (http bearer)',
    'May call: The administrator · adminToken (http bearer)',
    'May call: Anyone; a credential is read when sent · userToken (http bearer)',
  ]);
});

test('a refusal lists its stable codes, which lead to what to do about them', async (t) => {
  const { page } = await visit(t);
  assert.equal(
    await textAt(page, '#register summary:has-text("400")'),
    '400 The body is not acceptable invalid_payload validation_failed',
  );
  await page.locator('#register summary:has-text("409")').press('Enter');
  const link = page.locator('#register details[open] a:has-text("email_taken")');
  assert.equal(await link.getAttribute('href'), '/docs/problems#email_taken');
  assert.match(await textAt(page, '#register details[open] pre'), /"code": "email_taken"/);
});

test('the curl line carries method, credential, headers and the example, quoted for the shell', async (t) => {
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

test('the curl line is copied to the clipboard', async (t) => {
  const { page } = await visit(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#readMe button').first().click();
  await page.locator('[role=status]:has-text("Copied")').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl 'http.*\/api\/v1\/me'/);
});

test('headings descend without a gap and every landmark has its name', async (t) => {
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

test('a phone of 360 pixels shows everything without sideways scrolling, the menu closed', async (t) => {
  const { page } = await visit(t, { viewport: { width: 360, height: 740 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.locator('nav a[href="#register"]').isVisible(), false);
  assert.ok((await page.getByRole('cell').count()) > 10);
});

test('light and dark follow the system', async (t) => {
  const background = async (colorScheme: 'light' | 'dark') => {
    const { page } = await visit(t, { colorScheme });
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  assert.equal(await background('light'), 'rgb(253, 253, 252)');
  assert.equal(await background('dark'), 'rgb(21, 23, 26)');
});

for (const [name, status, description, reason] of [
  ['is refused', 503, '{}', /the server answered 503/],
  ['is not JSON', 200, '<html>', /JSON/],
  ['describes no paths', 200, '{"openapi":"3.1.0"}', /not an OpenAPI document/],
] as const) {
  test(`a description that ${name} leaves a message in its place`, async (t) => {
    const { page } = await visit(t, { status, description });
    const message = await page.getByRole('alert').innerText();
    assert.match(message, /could not be read/);
    assert.match(message, reason);
    assert.equal(await page.getByRole('alert').getByRole('link').getAttribute('href'), '/openapi.json');
  });
}
