import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OTHER_HOST } from '../../test/support/browser/browser.ts';
import { checkView, useConsole } from '../../test/support/browser/console.ts';
import { waitForAlert } from '../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../test/support/service.ts';

describe('the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

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
