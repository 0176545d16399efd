/** The examples with pages, in a browser, against the service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createBackend } from '../../examples/backend/server.ts';
import { createPageServer } from '../../examples/browser/serve.ts';
import { createFormServer } from '../../examples/own-form-page/serve.ts';
import { axeViolations } from '../support/browser/accessibility.ts';
import { openBrowser } from '../support/browser/browser.ts';
import { createCredential } from '../support/credentials.ts';
import { listSubmissions, publishPage } from '../support/form-pages.ts';
import { pluck } from '../support/pluck.ts';
import { newUserData, openService, startService } from '../support/service.ts';

const WIDTH = 320;

/** Opens a page of an example in a window 320 pixels wide. */
async function visit(context: TestContext, url: string) {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 640 } });
  context.after(() => page.close());
  await page.goto(url);
  return page;
}

async function listen(context: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the page of examples/browser registers, logs out and in from another origin, shows errors by their code, and removes a revoked token', async (context) => {
  // The origin has to be known before the service starts, the URL of the service before the page is requested.
  let serviceUrl = '';
  const pages = createServer((request, response) =>
    createPageServer(serviceUrl).emit('request', request, response),
  );
  const url = await listen(context, pages);
  const { api, stop } = await startService('sqlite', { environment: { CORS_ORIGINS: url } });
  context.after(stop);
  serviceUrl = api.url;
  const page = await visit(context, url);
  const { name, email, password } = newUserData();
  const fill = async (form: string, values: Record<string, string>) => {
    for (const [member, value] of Object.entries(values))
      await page.locator(`#${form} [name=${member}]`).fill(value);
    await page.locator(`#${form} button`).press('Enter');
  };
  const waitForMessage = (text: string) => page.locator('#message', { hasText: text }).waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await fill('register', { name, email, password });
  await page.locator('#name', { hasText: name }).waitFor();
  assert.equal(await page.locator('#email').innerText(), email);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H2');
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), WIDTH);
  await page.reload();
  await page.locator('#name', { hasText: name }).waitFor();
  const token = await page.evaluate(() => sessionStorage.getItem('token'));

  await page.locator('#logout').press('Enter');
  await page.locator('#login').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('token')), null);
  assert.equal((await api.get('/api/v1/me', { token: token! })).status, 401);
  await fill('register', { name, email, password });
  await waitForMessage('There is an account with this email.');
  await fill('login', { email, password: 'wrong password' });
  await waitForMessage('The email or the password is wrong.');
  await fill('login', { email, password });
  await page.locator('#name', { hasText: name }).waitFor();
  assert.equal(await page.locator('#message').innerText(), '');

  const current = await page.evaluate(() => sessionStorage.getItem('token'));
  await api.post('/api/logout', undefined, { token: current! });
  await page.reload();
  await waitForMessage('You were logged out.');
  await page.locator('#login').waitFor();
});

test('the pages of examples/backend log in with a cookie that scripts cannot read, and out', async (context) => {
  const service = await openService(context, 'sqlite');
  const { secret } = await createCredential(service, ['clients:forward']);
  const backend = createBackend({ url: service.api.url, credential: secret, isSecure: false });
  const page = await visit(context, await listen(context, backend));
  const { name, email, password } = newUserData();
  await service.api.post('/api/register', { name, email, password });
  const logIn = async (given: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(given);
    await page.getByRole('button', { name: 'Log in' }).press('Enter');
  };
  await logIn('wrong password');
  await page.getByText('The email or the password is wrong.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await logIn(password);
  await page.getByRole('heading', { name }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), WIDTH);
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    [{ httpOnly: true, sameSite: 'Lax' }],
  );
  await page.getByRole('button', { name: 'Log out' }).press('Enter');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test('the page of examples/own-form-page sends answers without a script, and is led back; wrong answers are corrected on the page of the service', async (context) => {
  const service = await openService(context, 'sqlite');
  let formUrl = '';
  const server: Server = createServer((request, response) =>
    createFormServer(formUrl, url).emit('request', request, response),
  );
  const url = await listen(context, server);
  // The definition of docs/forms.md.
  const fields = [
    { label: 'full_name', type: 'text', is_required: true, title: 'Your name' },
    { label: 'course', type: 'text', is_required: true, options: ['Sailing', 'Rowing'] },
    { label: 'terms', type: 'checkbox', is_required: true, title: 'I accept the terms.' },
  ];
  const form = await publishPage(service, { fields, allowed_origins: [url] });
  formUrl = service.api.url + form.page;
  const page = await visit(context, url);
  assert.deepEqual(await axeViolations(page), []);
  const name = page.getByLabel('Your name');
  for (const given of ['Ada', ' ']) {
    await name.fill(given);
    await page.getByLabel('Rowing').check();
    await page.getByLabel('I accept the terms.').check();
    await page.getByRole('button').press('Enter');
    await page.waitForURL(given === 'Ada' ? `${url}/thanks` : formUrl);
    if (given === 'Ada') await page.getByRole('link').press('Enter');
  }
  assert.ok(await page.getByLabel('Rowing').isChecked());
  await name.fill('Grace');
  await page.getByRole('button').press('Enter');
  await page.waitForURL(`${url}/thanks`);
  const stored = await listSubmissions(service, form.api, '?held=include');
  assert.deepEqual(
    pluck(stored, 'answers'),
    ['Grace', 'Ada'].map((full_name) => ({ full_name, course: 'Rowing', terms: true })),
  );
});
