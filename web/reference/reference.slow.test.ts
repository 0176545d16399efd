import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useConsole } from '../../test/support/browser/console.ts';
import { getCurl, getShownOperations, showOperation, textAt } from '../../test/support/browser/reference.ts';
import { description, operations } from '../../test/support/description/description.ts';
import { useService } from '../../test/support/service.ts';
import { until } from '../../test/support/until.ts';

const tags: string[] = description.tags.map(({ name }: { name: string }) => name);
const getIds = (tag: string): string[] =>
  operations
    .filter(({ operation }) => operation.tags[0] === tag)
    .map(({ operation }) => operation.operationId);

describe('the reference', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const open: typeof visit = (t, path, options) => visit(t, path, { isSignedIn: false, ...options });

  test('the reference shows one group of operations at a time, and its menu has links to all operations', async (t) => {
    const { page } = await open(t, '/docs');
    assert.deepEqual(await getShownOperations(page), getIds(tags[0]!));
    const links = page.locator('.operations li li a');
    const hrefs = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const expected = tags.flatMap(getIds).map((id) => `#${id}`);
    assert.deepEqual(hrefs, expected);
    for (const tag of tags) {
      await page.locator('.operations').getByRole('link', { name: tag, exact: true }).click();
      await page.getByRole('heading', { level: 2, name: tag, exact: true }).waitFor();
      assert.deepEqual(await getShownOperations(page), getIds(tag), tag);
    }
  });

  test('the reference shows the groups that were left after Back and Forward', async (t) => {
    const { page } = await open(t, '/docs');
    await showOperation(page, 'createForm');
    await showOperation(page, 'createWebhook');
    for (const [move, id, heading] of [
      ['goBack', 'createForm', 'Forms'],
      ['goBack', 'register', 'Accounts'],
      ['goForward', 'createForm', 'Forms'],
    ] as const) {
      await page[move]();
      await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
      assert.ok((await getShownOperations(page)).includes(id));
    }
    await page.locator('#createForm:focus').waitFor();
    const top = await page.locator('#createForm').evaluate((section) => section.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 200, `the operation starts ${top} px below the top of the window`);
  });

  test('the reference shows markup inside the description as text, and its links as links', async (t) => {
    const { page } = await open(t, '/docs/start');
    const info = {
      title: 'Example API',
      version: '1',
      description: 'See [problems](/docs/problems).\n\n<img src="x" onerror="document.title = 1">',
    };
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { ...description, info } }));
    await page.goto('/docs');
    await page.locator('.introduction').waitFor();
    assert.match(await textAt(page, '.introduction p:last-child'), /^<img src="x" onerror=/);
    assert.equal(await page.locator('main img').count(), 0);
    await page.waitForFunction(() => document.title === 'Example API');
    assert.equal(await page.locator('.introduction a').getAttribute('href'), '/docs/problems');
  });

  test('the reference shows members, parameters and headers with type, constraints and whether they are required', async (t) => {
    const { page } = await open(t, '/docs');
    for (const [id, row] of [
      ['register', 'email required string (email) at most 255 characters'],
      ['register', 'X-Request-Id string Id of the request,'],
      ['register', 'Idempotency-Key header string 1 to 512 characters'],
      ['getUser', 'id path required string'],
      ['getMail', 'data.recipient required'],
      ['listUsers', 'created_from query string (date) or string (date-time)'],
    ] as const) {
      const section = await showOperation(page, id);
      const texts = await section.locator('.members > li').allInnerTexts();
      assert.ok(
        texts.some((text) => text.replaceAll(/\s+/g, ' ').startsWith(row)),
        `${id}: ${row}`,
      );
    }
  });

  test('the reference shows who may call each operation', async (t) => {
    const { page } = await open(t, '/docs');
    for (const [id, access] of [
      ['register', 'Anyone'],
      ['getCurrentUser', 'A signed-in user · userToken with scope self:read'],
      ['deleteUser', 'The administrator · adminToken with scope users:write'],
      ['validateFormFields', 'Anyone; a credential is checked if sent · userToken · adminToken'],
    ] as const) {
      await showOperation(page, id);
      assert.equal(await textAt(page, `#${id} .access`), `Access: ${access}`);
    }
  });

  test('the reference lists the codes of an error response, with links to their documentation and examples', async (t) => {
    const { page } = await open(t, '/docs#register');
    const conflict = page.locator('#register .response', { hasText: '409' });
    await conflict.locator('summary').press('Enter');
    const link = conflict.getByRole('link', { name: 'email_taken' });
    assert.equal(await link.getAttribute('href'), '/docs/problems#email_taken');
    assert.equal(
      await textAt(page, conflict.locator('.problem').first()),
      'email_taken The email has already been taken.',
    );
    await page.locator('#register .tab-choice label', { hasText: '409' }).click();
    assert.match(await textAt(page, '#register pre[aria-label="Response 409"]'), /"code": "email_taken"/);
  });

  test('the reference folds the errors that most operations share', async (t) => {
    const { page } = await open(t, '/docs#register');
    const folded = page.locator('#register .common-errors');
    await folded.waitFor();
    assert.match(await textAt(page, folded), /^Errors that most operations share: \d{3}(?:, \d{3})+$/);
    const texts = await folded.locator('.response > summary').allTextContents();
    for (const text of ['400 malformed_request', '406 not_acceptable', '431 headers_too_large', '503 '])
      assert.ok(
        texts.some((each) => each.startsWith(text)),
        text,
      );
    assert.equal(await page.locator('#register .detail > .response summary:has-text("503")').count(), 0);
  });

  test('the reference shows a curl command with method, credential, headers and body, quoted for the shell', async (t) => {
    const { page } = await open(t, '/docs');
    const { url } = service.service;
    for (const [id, command] of [
      ['getLiveness', `curl '${url}/livez'`],
      ['getCurrentUser', `curl '${url}/api/v1/me' \\\n  -H "Authorization: Bearer $TOKEN"`],
      [
        'deleteUser',
        `curl -X DELETE '${url}/api/v1/users/01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e' \\\n  -H "Authorization: Bearer $ADMIN_TOKEN"`,
      ],
    ] as const) {
      await showOperation(page, id);
      assert.equal(await getCurl(page, id), command);
    }
    await showOperation(page, 'register');
    assert.match(
      await getCurl(page, 'register'),
      /^curl -X POST '[^']+' \\\n {2}-H 'Content-Type: application\/json' \\\n {2}--data-raw '\{\n {2}"name"/,
    );
    await showOperation(page, 'exchangeCode');
    assert.match(await getCurl(page, 'exchangeCode'), /form-urlencoded' .* 'grant_type=authorization_code&/s);
  });

  test('the reference shows every request in the language that was chosen for one, as code that sends it', async (t) => {
    const { page } = await open(t, '/docs#register');
    const choice = page.locator('#register').getByRole('group', { name: 'Language of the example' });
    await choice.getByRole('radio', { name: 'curl' }).press('ArrowRight');
    const code = await page.locator('#register pre[aria-label=fetch]').innerText();
    const calls: unknown[] = [];
    const run = new Function('fetch', 'console', `return (async () => { ${code} })()`);
    await run(
      async (...call: unknown[]) => {
        calls.push(call);
        return { status: 201, text: async () => 'body' };
      },
      { log: (...texts: unknown[]) => calls.push(texts) },
    );
    const { example } = description.paths['/api/register'].post.requestBody.content['application/json'];
    const headers = { 'Content-Type': 'application/json' };
    assert.deepEqual(calls, [
      [`${service.service.url}/api/register`, { method: 'POST', headers, body: JSON.stringify(example) }],
      [201, 'body'],
    ]);
    await showOperation(page, 'getCurrentUser');
    assert.match(
      await textAt(page, '#getCurrentUser pre[aria-label=fetch]'),
      /Authorization: `Bearer \$\{TOKEN\}`,/,
    );
  });

  test('the reference filters its menu by words of names, methods and paths', async (t) => {
    const { page } = await open(t, '/docs');
    const filter = page.getByRole('searchbox', { name: 'Filter operations' });
    const names = () => page.locator('.operations li li a > span:first-child').allInnerTexts();
    await filter.fill('delete /{id} applications');
    assert.deepEqual(await names(), ['Delete an application']);
    await filter.fill('nothing');
    await page.getByText('No operation has this in its name or path.').waitFor();
    assert.deepEqual(await names(), []);
    await filter.press('Escape');
    assert.equal((await names()).length, operations.length);
  });

  test('the reference marks the operation that is read in its menu, and scrolls only the menu to the mark', async (t) => {
    const { page } = await open(t, '/docs', { viewport: { width: 1280, height: 400 } });
    const mark = page.locator('.operations [aria-current]');
    await page.locator('#changePassword').evaluate((section) => section.scrollIntoView());
    await mark.and(page.locator('[href="#changePassword"]')).waitFor();
    // The menu scrolls after the mark was rendered.
    await until(async () => {
      const menu = (await page.locator('.operations').boundingBox())!;
      const entry = (await mark.boundingBox())!;
      return entry.y >= menu.y && entry.y + entry.height <= menu.y + menu.height + 1;
    }, 'the mark is in view');
    await page.setViewportSize({ width: 390, height: 600 });
    await page.locator('.operations summary').click();
    const before = await page.locator('#register').evaluate((section) => {
      section.scrollIntoView();
      return scrollY;
    });
    await mark.and(page.locator('[href="#register"]')).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => scrollY), before);
  });

  for (const [title, response, reason] of [
    ['is an error response', { status: 503, json: {} }, /responded with status 503/],
    ['is not JSON', { body: '<html>' }, /not an OpenAPI document/],
    ['has no paths', { json: { openapi: '3.1.0' } }, /not an OpenAPI document/],
  ] as const)
    test(`the reference shows an error message when openapi.json ${title}`, async (t) => {
      const { page } = await open(t, '/docs/start');
      await page.route('**/openapi.json', (route) => route.fulfill(response));
      await page.goto('/docs');
      const alert = page.getByRole('alert');
      assert.match(await alert.innerText(), /could not be read/);
      assert.match(await alert.innerText(), reason);
      assert.equal(await alert.getByRole('link').getAttribute('href'), '/openapi.json');
    });
});
