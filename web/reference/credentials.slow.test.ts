import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startProxy } from '../../test/support/browser/account-pages.ts';
import { openBrowser } from '../../test/support/browser/browser.ts';
import { useConsole } from '../../test/support/browser/console.ts';
import {
  chooseSender,
  getCurl,
  openForm,
  type Sender,
  send,
  senderChoice,
  showOperation,
} from '../../test/support/browser/reference.ts';
import { newUserData, startService, useService } from '../../test/support/service.ts';
import { register } from '../../test/support/users.ts';

/** An operation for each kind of access. */
const OPERATIONS = {
  public: 'getLiveness',
  optional: 'validateFormFields',
  user: 'getCurrentUser',
  admin: 'getDashboard',
};

/** Sends a request to each operation. Returns the credentials that each had, and the status of its response. */
async function tryAll(page: Page): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [access, id] of Object.entries(OPERATIONS)) {
    await openForm(page, id);
    const request = await send(page, id);
    const headers = await request.allHeaders();
    const credentials = [
      headers.authorization === undefined ? '' : 'token',
      headers.cookie === undefined ? '' : 'cookie',
      headers['x-frontdesk-console'] === undefined ? '' : 'header',
    ];
    found[access] = [...credentials, (await request.response())!.status()].filter(Boolean).join(' ');
  }
  return found;
}

describe('credentials of requests in the reference', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the reference sends each credential only to operations that accept it, and stores no pasted token', async (t) => {
    const { page, context } = await visit(t, '/docs');
    const { token } = await register(service);
    const expected: Record<Sender, Record<string, string>> = {
      Anonymous: { public: '200', optional: '200', user: '401', admin: '401' },
      Token: { public: '200', optional: 'token 200', user: 'token 200', admin: '401' },
      Session: {
        public: '200',
        optional: 'cookie header 200',
        user: '401',
        admin: 'cookie header 200',
      },
    };
    for (const sender of ['Anonymous', 'Session', 'Token'] as const) {
      await chooseSender(page, sender, token);
      assert.deepEqual(await tryAll(page), expected[sender], sender);
    }
    const shown = `${token.slice(0, 12)}…`;
    await showOperation(page, OPERATIONS.user);
    assert.ok((await getCurl(page, OPERATIONS.user)).endsWith(`-H 'Authorization: Bearer ${shown}'`));
    await showOperation(page, OPERATIONS.admin);
    assert.match(await getCurl(page, OPERATIONS.admin), /Bearer \$ADMIN_TOKEN"$/);
    assert.ok(!(await page.content()).includes(token));
    const { origins } = await context.storageState({ indexedDB: true });
    assert.deepEqual(origins, []);
    await page.reload();
    assert.equal(await senderChoice(page).getByRole('radio', { name: 'Token' }).isChecked(), false);
  });

  test('the reference uses the session of the console from the start, and names who is signed in', async (t) => {
    const { page } = await visit(t, '/docs', { role: 'owner' });
    const choice = senderChoice(page);
    await choice.getByText(/^You are signed in as \w+/).waitFor();
    assert.equal(await choice.getByRole('radio', { name: 'Session' }).isChecked(), true);
    await openForm(page, 'getDashboard');
    assert.equal((await (await send(page, 'getDashboard')).response())!.status(), 200);
    assert.match(await getCurl(page, 'getDashboard'), /Bearer \$ADMIN_TOKEN"$/);
  });

  test('the reference offers a token that a response has created, which requests and copied samples then have', async (t) => {
    const { page, context } = await visit(t, '/docs');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await chooseSender(page, 'Anonymous');
    const form = await openForm(page, 'register');
    const { name, email, password } = newUserData();
    await form.getByLabel('Request body').fill(JSON.stringify({ name, email, password }));
    await send(page, 'register');
    const [token] = /fd_pat_\w+/.exec(await form.locator('pre').innerText())!;
    await form.getByRole('button', { name: 'Use this token' }).click();
    await form.getByText('Requests and copied samples have this token').waitFor();
    const operation = await showOperation(page, 'getCurrentUser');
    await operation.getByRole('button', { name: 'Copy: curl' }).click();
    await operation.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.endsWith(`-H 'Authorization: Bearer ${token}'`), copied);
    assert.ok(!(await getCurl(page, 'getCurrentUser')).includes(token));
    await openForm(page, 'getCurrentUser');
    assert.equal((await (await send(page, 'getCurrentUser')).response())!.status(), 200);
  });

  test('the reference detects that the session is missing or has ended, and links to the console', async (t) => {
    const { page, context } = await visit(t, '/docs');
    await chooseSender(page, 'Session');
    await openForm(page, 'getDashboard');
    await context.clearCookies();
    await send(page, 'getDashboard');
    const choice = senderChoice(page);
    const notice = choice.getByText('This browser has no session.');
    await notice.waitFor();
    assert.equal(await notice.getByRole('link').getAttribute('href'), '/console');
    const request = await send(page, 'getDashboard');
    assert.equal((await request.allHeaders())['x-frontdesk-console'], undefined);
    await choice.getByRole('button', { name: 'Check again' }).click();
    await notice.waitFor();
    await page.route('**/console/session', (route) => route.abort());
    await choice.getByRole('button', { name: 'Check again' }).click();
    await choice.getByText('The service did not say whether there is a session.').waitFor();
  });
});

describe('the reference without a console', () => {
  const service = useService('sqlite', { environment: { CONSOLE: 'off' } });
  const visit = useConsole(service);

  test('the reference without a console offers neither a link to it nor its session, and rejects a token that no header can have', async (t) => {
    const { page } = await visit(t, '/docs', { isSignedIn: false });
    await chooseSender(page, 'Token', 'two words');
    await senderChoice(page).getByText('A token has no spaces and no special characters.').waitFor();
    const form = await openForm(page, 'getCurrentUser');
    await form.getByText('Sent anonymously, but this operation needs the token of a user.').waitFor();
    assert.equal((await (await send(page, 'getCurrentUser')).allHeaders()).authorization, undefined);
    assert.equal(await senderChoice(page).getByRole('radio').count(), 2);
    assert.equal(await page.locator('a[href$="/console"]').count(), 0);
  });
});

test('the reference below the path of a proxy sends its requests below that path', async (t) => {
  const proxy = await startProxy(t);
  const service = await startService('sqlite', { environment: { PUBLIC_URL: proxy.publicUrl } });
  t.after(service.stop);
  proxy.target = service.api.url;
  const page = await (await openBrowser()).newPage();
  t.after(() => page.close());
  await page.goto(`${proxy.publicUrl}/docs`);
  await openForm(page, 'getLiveness');
  const request = await send(page, 'getLiveness');
  assert.equal(request.url(), `${proxy.publicUrl}/livez`);
  assert.equal(await getCurl(page, 'getLiveness'), `curl '${proxy.publicUrl}/livez'`);
  assert.equal((await request.response())!.status(), 200);
});
