import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRow, textAt, visitReference } from '../../test/support/browser/reference-page.ts';
import { operations } from '../../test/support/description/description.ts';
import { startService } from '../../test/support/service.ts';

const operationIds = ['register', 'readMe', 'readUser', 'deleteUser', 'validateForm'];

test('the reference renders every operation, grouped by tag, with a navigation link to each', async (t) => {
  const { page } = await visitReference(t);
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
  assert.match(await textAt(page, 'nav a[href="#deleteUser"]'), /^Delete a user DELETE$/);
});

test('the reference renders the description of the service with the bundles that the service serves, without requests to elsewhere', async (t) => {
  const { service, stop } = await startService('sqlite');
  t.after(stop);
  const { page, requests, errors } = await visitReference(t, { origin: service.url });
  const rendered = await page.locator('section.operation').evaluateAll((all) => all.map((each) => each.id));
  assert.deepEqual(rendered.sort(), operations.map(({ operation }) => operation.operationId).sort());
  assert.match(await textAt(page, '#register summary:has-text("409")'), /^409 email_taken, \w+$/);
  const folded = page.locator('#register .common-errors');
  assert.match(await textAt(page, folded), /^Errors that most operations share: \d{3}(?:, \d{3})+$/);
  assert.equal(await folded.locator('summary:has-text("503")').first().isVisible(), true);
  assert.equal(await page.locator('#register .detail > .response summary:has-text("503")').count(), 0);
  const shared = folded.locator('.response > summary');
  const texts = await shared.allTextContents();
  for (const text of ['400 malformed_request', '406 not_acceptable', '431 headers_too_large'])
    assert.ok(
      texts.some((each) => each.startsWith(text)),
      text,
    );
  for (const header of ['X-Request-Id', 'RateLimit', 'Location'])
    assert.equal(await findRow(page, 'register', header).count(), 1, header);
  assert.equal(await findRow(page, 'getMail', 'data.recipient').count(), 1, 'a member of an extended schema');
  const isElsewhere = (address: string) => !/^data:/.test(address) && !address.startsWith(service.url);
  assert.deepEqual(requests.filter(isElsewhere), []);
  assert.deepEqual(errors, []);
});

test('the reference shows markup inside the description as text', async (t) => {
  const { page } = await visitReference(t);
  assert.equal(await page.locator('main img').count(), 0);
  assert.match(await textAt(page, '.introduction'), /<img src="https:\/\/elsewhere\.invalid\/x"/);
  assert.equal(await page.title(), 'Example API');
  assert.equal(await page.locator('.introduction a').getAttribute('href'), '/docs/problems');
});

test('the reference shows type, constraints, required and deprecated of each member', async (t) => {
  const { page } = await visitReference(t);
  const row = (id: string, label: string) => textAt(page, findRow(page, id, label));
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

test('the reference renders a recursive schema once', async (t) => {
  const { page } = await visitReference(t);
  assert.equal(
    await textAt(page, findRow(page, 'validateForm', 'fields[].children')),
    'fields[].children array of Field',
  );
  assert.equal(await findRow(page, 'validateForm', 'fields[].children[].label').count(), 0);
  assert.equal(await textAt(page, '#deleteUser summary:has-text("default")'), 'default Anything');
});

test('the reference shows who may call each operation', async (t) => {
  const { page } = await visitReference(t);
  const access = await Promise.all(operationIds.map((id) => textAt(page, `#${id} .access`)));
  assert.deepEqual(access, [
    'Access: Anyone',
    'Access: A signed-in user · userToken (http bearer) with scope profile:read',
    'Access: The administrator · adminToken (http bearer)',
    'Access: The administrator · adminToken (http bearer)',
    'Access: Anyone; a credential is checked if sent · userToken (http bearer)',
  ]);
});

test('the reference lists the codes of an error response, with links to their documentation', async (t) => {
  const { page } = await visitReference(t);
  assert.equal(
    await textAt(page, '#register summary:has-text("400")'),
    '400 The body is not valid invalid_payload validation_failed',
  );
  await page.locator('#register summary:has-text("409")').press('Enter');
  const link = page.locator('#register details[open] a:has-text("email_taken")');
  assert.equal(await link.getAttribute('href'), '/docs/problems#email_taken');
  await page.locator('#register .tab-choice label', { hasText: '409' }).click();
  assert.match(await textAt(page, '#register pre[aria-label="Response 409"]'), /"code": "email_taken"/);
});

test('the reference renders responses, headers, examples and parameters that are references to components', async (t) => {
  const { page } = await visitReference(t);
  const summary = page.locator('summary', { hasText: '409' });
  const response = page.locator('#register details').filter({ has: summary });
  assert.equal(await textAt(page, response.locator('summary')), '409 Conflict: email_taken');
  await response.locator('summary').press('Enter');
  await response.locator('.members').last().waitFor();
  assert.match(
    await textAt(page, response.locator('.members').last()),
    /X-Request-Id string Id of the request/,
  );
  assert.equal(
    await textAt(page, response.locator('.problem')),
    'email_taken The email has already been taken.',
  );
  assert.match(
    await textAt(page, findRow(page, 'register', 'Idempotency-Key')),
    /^Idempotency-Key header string/,
  );
});

test('the reference shows a curl command with method, credential, headers and example, quoted for the shell', async (t) => {
  const { page, origin } = await visitReference(t);
  const curl = (id: string) => page.locator(`#${id} pre[aria-label=curl]`).innerText();
  assert.equal(
    await curl('register'),
    `curl -X POST '${origin}/api/register' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{\n` +
      `  "name": "Ada O'\\''Neil",\n  "email": "ada@example.com",\n  "password": "correct horse"\n}'`,
  );
  assert.match(
    await curl('readUser'),
    /^curl 'http[^']+\/users\/[0-9a-f-]{36}' \\\n {2}-H "Authorization: Bearer \$ADMIN_TOKEN"$/,
  );
  assert.match(await curl('readMe'), /Bearer \$TOKEN"$/);
});

test('the reference shows every request in the language that was chosen for one', async (t) => {
  const { page, origin } = await visitReference(t);
  const choice = page.locator('#register').getByRole('group', { name: 'Language of the example' });
  await choice.getByText('fetch').click();
  const code = await page.locator('#register pre[aria-label=fetch]').innerText();
  const calls: unknown[] = [];
  const run = new Function('fetch', 'console', `return (async () => { ${code} })()`);
  const answer = { status: 201, text: async () => 'body' };
  await run(
    async (...call: unknown[]) => {
      calls.push(call);
      return answer;
    },
    { log: (...texts: unknown[]) => calls.push(texts) },
  );
  const body = JSON.stringify({ name: "Ada O'Neil", email: 'ada@example.com', password: 'correct horse' });
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  assert.deepEqual(calls, [
    [`${origin}/api/register`, request],
    [201, 'body'],
  ]);
  assert.match(
    await page.locator('#readMe pre[aria-label=fetch]').innerText(),
    /Authorization: `Bearer \$\{TOKEN\}`,/,
  );
  await choice.getByRole('radio', { name: 'fetch' }).press('ArrowRight');
  assert.equal(
    await page.locator('#register pre[aria-label=Python]').innerText(),
    `import requests\n\nresponse = requests.request(\n    "POST",\n    "${origin}/api/register",\n    json={\n` +
      `        "name": "Ada O'Neil",\n        "email": "ada@example.com",\n        "password": "correct horse",\n    },\n)\n` +
      'print(response.status_code, response.text)',
  );
  assert.match(
    await page.locator('#readUser pre[aria-label=Python]').innerText(),
    /^import os\nimport requests\n.*"Authorization": f"Bearer \{os\.environ\['ADMIN_TOKEN'\]\}",/s,
  );
});

test('the reference filters its menu by words of names, methods and paths', async (t) => {
  const { page } = await visitReference(t, { viewport: { width: 1280, height: 720 } });
  const filter = page.getByRole('searchbox', { name: 'Filter operations' });
  const names = () => page.locator('nav[aria-label=Operations] li li a > span:first-child').allInnerTexts();
  await filter.fill('users/ delete');
  assert.deepEqual(await names(), ['Delete a user']);
  await filter.fill('nothing');
  await page.getByText('No operation has this in its name or path.').waitFor();
  assert.deepEqual(await names(), []);
  await filter.press('Escape');
  assert.equal((await names()).length, operationIds.length);
});

test('the reference marks the operation that is read in its menu, and scrolls only the menu to the mark', async (t) => {
  const { page } = await visitReference(t, { viewport: { width: 1280, height: 400 } });
  const mark = page.locator('nav[aria-label=Operations] [aria-current]');
  await page.locator('#deleteUser').evaluate((section) => section.scrollIntoView());
  await mark.and(page.locator('[href="#deleteUser"]')).waitFor();
  const menu = (await page.locator('.operations').boundingBox())!;
  const entry = (await mark.boundingBox())!;
  assert.ok(entry.y >= menu.y && entry.y + entry.height <= menu.y + menu.height + 1);
  await page.setViewportSize({ width: 390, height: 600 });
  await page.locator('.operations summary').click();
  const before = await page.locator('#readUser').evaluate((section) => {
    section.scrollIntoView();
    return scrollY;
  });
  await mark.and(page.locator('[href="#readUser"]')).waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => scrollY), before);
});

test('the reference has the examples beside the text from 1280 pixels, and below it in narrower windows', async (t) => {
  const { page } = await visitReference(t, { viewport: { width: 1280, height: 720 } });
  const isBeside = async () => {
    const [text, examples] = await Promise.all(
      ['.about', '.examples'].map((part) => page.locator(`#register ${part}`).boundingBox()),
    );
    return examples!.x >= text!.x + text!.width;
  };
  assert.equal(await isBeside(), true);
  await page.setViewportSize({ width: 1270, height: 720 });
  assert.equal(await isBeside(), false);
});

test('the reference copies the curl command to the clipboard', async (t) => {
  const { page } = await visitReference(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#readMe button').first().click();
  await page.locator('[role=status]:has-text("Copied")').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl 'http.*\/api\/v1\/me'/);
});

for (const [name, status, description, reason] of [
  ['is an error response', 503, '{}', /responded with status 503/],
  ['is not JSON', 200, '<html>', /JSON/],
  ['has no paths', 200, '{"openapi":"3.1.0"}', /not an OpenAPI document/],
] as const) {
  test(`the reference shows an error message when openapi.json ${name}`, async (t) => {
    const { page } = await visitReference(t, { status, description });
    const message = await page.getByRole('alert').innerText();
    assert.match(message, /could not be read/);
    assert.match(message, reason);
    assert.equal(await page.getByRole('alert').getByRole('link').getAttribute('href'), '/openapi.json');
  });
}
