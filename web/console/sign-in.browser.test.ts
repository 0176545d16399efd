import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, endSession, useConsole } from '../../test/support/browser/console.ts';
import { tabTo, waitForFocus, waitForFocusedText } from '../../test/support/browser/keyboard.ts';
import { ADMIN_TOKEN, useSharedService } from '../../test/support/service.ts';

describe('the console', () => {
  const service = useSharedService('sqlite');
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
});

const ATTRIBUTES = { secure: true, httpOnly: true, sameSite: 'Strict' };
