import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OTHER_HOST } from '../../test/support/browser/browser.ts';
import { checkView, endSession, useConsole } from '../../test/support/browser/console.ts';
import { tabTo, waitForFocus, waitForFocusedText } from '../../test/support/browser/keyboard.ts';
import { waitForAlert } from '../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../test/support/service.ts';

describe('the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the console sign-in works by keyboard, keeps the view of the URL, and lasts after a reload', async (t) => {
    const { page, context } = await visit(t, '/console/forms', { isSignedIn: false });
    await page.getByRole('heading', { name: 'Frontdesk console' }).waitFor();
    const getTop = async () => (await page.getByLabel('ADMIN_TOKEN').boundingBox())!.y;
    const top = await getTop();
    await tabTo(page, 'input[type=password]');
    await page.keyboard.type('wrong token');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'This is not ADMIN_TOKEN. Copy all of it again' }).waitFor();
    assert.equal(await getTop(), top, 'nothing moves');
    await waitForFocus(page, 'input[type=password]');
    await checkView(page);
    await page.getByLabel('ADMIN_TOKEN').fill('');
    await page.keyboard.press('Enter');
    await alert.filter({ hasText: 'Enter ADMIN_TOKEN.' }).waitFor();
    await page.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
    const [cookie, ...others] = await context.cookies();
    assert.deepEqual(others, []);
    const { name, secure, httpOnly, sameSite } = cookie!;
    assert.match(name, /^__Host-frontdesk-[\w-]{8}$/);
    assert.deepEqual({ secure, httpOnly, sameSite }, ATTRIBUTES);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.equal(stored, '[{},{},""]');
  });

  test('the console sign-out deletes the cookie, after which every view needs a new sign-in', async (t) => {
    const { page, context } = await visit(t, '/console');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
    assert.deepEqual(await context.cookies(), []);
    await page.goto('/console/users');
    await page.getByLabel('ADMIN_TOKEN').waitFor();
  });

  test('the console sign-out removes its own keys, and nothing of another application on the same origin', async (t) => {
    const { page } = await visit(t, '/console');
    await page.getByLabel('Colours').selectOption('dark');
    await page.evaluate(async () => {
      localStorage.setItem('theme', 'of the application');
      sessionStorage.setItem('application', 'kept');
      // biome-ignore lint/suspicious/noDocumentCookie: as an application may set it
      document.cookie = 'application=kept';
      await (await caches.open('application')).put('/kept', new Response('kept'));
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
    const stored = await page.evaluate(async () => ({
      local: { ...localStorage },
      session: { ...sessionStorage },
      cookie: document.cookie,
      cached: await (await caches.match('/kept'))?.text(),
    }));
    assert.deepEqual(stored, {
      local: { theme: 'of the application' },
      session: { application: 'kept' },
      cookie: 'application=kept',
      cached: 'kept',
    });
  });

  test('the console checks the session before it shows a page that Back has restored from memory', async (t) => {
    const { page, context } = await visit(t, '/console/users');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await endSession(service, context);
    const { promise: isHidden, resolve } = Promise.withResolvers<void>();
    await page.route('**/console/session', async (route) => {
      await isHidden;
      await route.continue();
    });
    await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await page.locator('.list-tools').waitFor({ state: 'detached' });
    resolve();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
  });

  test('the console asks to sign in again when the session has ended, and keeps typed values', async (t) => {
    const { page, context } = await visit(t, '/console/forms?view=check');
    await page.getByLabel('Label').fill('first_name');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Check' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await checkView(page);
    await page.keyboard.press('Escape');
    await dialog.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Label').inputValue(), 'first_name');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid: 1 field.').waitFor();
  });

  test('the console loads a view again after a new sign-in, and reports no failure meanwhile', async (t) => {
    const { page, context } = await visit(t, '/console/mail');
    await page.getByText('0 messages').waitFor();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await dialog.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    const reload = page.waitForResponse('**/api/v1/admin/mail?*');
    await page.keyboard.press('Enter');
    assert.equal((await reload).status(), 200);
    await dialog.waitFor({ state: 'detached' });
  });

  test('the console explains over plain HTTP from another machine why sign-in is not possible, and the remedy', async (t) => {
    const { port } = new URL(service.service.url);
    const { page } = await visit(t, `http://${OTHER_HOST}:${port}/console`, { isSignedIn: false });
    await page.getByText('You cannot sign in over this connection.').waitFor();
    await page.getByText(`ssh -L ${port}:127.0.0.1:${port} ${OTHER_HOST}`).waitFor();
    assert.equal(await page.getByLabel('ADMIN_TOKEN').count(), 0);
    await checkView(page);
  });

  test('the console can be loaded again after the service did not respond', async (t) => {
    const { page } = await visit(t, '/console');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/console/session', (route) => route.abort('connectionfailed'));
    await page.reload();
    await waitForAlert(page, 'The console could not be loaded');
    await page.unroute('**/console/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('the console asks to reload it when its scripts are not loaded, as from a node of another release', async (t) => {
    const { page } = await visit(t, '/console');
    const advice = page.getByText('The scripts of this page have not been loaded.');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(await advice.count(), 0);
    await page.route('**/assets/console-*.js', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await advice.waitFor();
    await checkView(page);
    await page.unroute('**/assets/console-*.js');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('the console leads to each view, names the window after it and moves the focus to its heading', async (t) => {
    const { page } = await visit(t, '/console');
    for (const name of ['Users', 'Events', 'Webhooks', 'Forms', 'Settings', 'Overview']) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await waitForFocusedText(page, name);
      assert.equal(await page.title(), `${name} · Frontdesk`);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.goto('/console/users/a/b');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  });

  test('the console keeps the chosen colours on its pages and after a reload', async (t) => {
    const { page } = await visit(t, '/console');
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByLabel('Colours').selectOption('dark');
    assert.notEqual(await background(), light);
    await page.reload();
    assert.equal(await page.getByLabel('Colours').inputValue(), 'dark');
    assert.notEqual(await background(), light);
    await page.getByLabel('Colours').selectOption('system');
    assert.equal(await background(), light);
  });
});

const ATTRIBUTES = { secure: true, httpOnly: true, sameSite: 'Strict' };
