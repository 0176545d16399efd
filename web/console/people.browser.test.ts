/** People with a role in the console. */
import { describe, test } from 'node:test';
import { RECENT_SIGN_IN_MINUTES } from '../../src/callers/admin-scopes.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { createAdministrator, signInAs } from '../../test/support/administrators.ts';
import { checkView, useConsole } from '../../test/support/browser/console.ts';
import { fromConsole } from '../../test/support/browser/console-session.ts';
import { waitForStatus } from '../../test/support/browser/steps.ts';
import { limited, manualClock } from '../../test/support/limits.ts';
import { ADMIN_TOKEN, useService } from '../../test/support/service.ts';

const PASSWORD = 'paper lantern under the bridge';

describe('people with a role in the console', () => {
  const clock = manualClock(Date.now());
  const service = useService(
    'sqlite',
    limited({ RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_ANON: 'off' }, { clock }),
  );
  const visit = useConsole(service);

  test('ADMIN_TOKEN creates the first owner, who needs a password while no mail server is connected, and is signed in', async (t) => {
    const { page } = await visit(t, '/console', { isSignedIn: false });
    await page.getByText('Nobody has a role yet.').waitFor();
    await checkView(page);
    await page.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Create owner and sign in' }).click();
    await page.getByText('is required while no mail server is connected').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await checkView(page);
    await page.getByRole('button', { name: 'Create owner and sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('navigation', { name: 'Console' }).getByText('Ada Lovelace').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Use ADMIN_TOKEN' }).click();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
    await page.getByRole('link', { name: 'sign in with their account' }).click();
    await page.waitForURL('**/sign-in?*');
  });

  test('a person without a role reads that they have none, and can sign out', async (t) => {
    const { page, context } = await visit(t, '/console', { isSignedIn: false });
    await page.waitForURL('**/sign-in?*');
    const { cookie } = await signInAs(service, null);
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: service.service.url }]);
    await page.goto('/console');
    await page.getByText('Your account has no role').waitFor();
    await checkView(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in?*');
  });

  test('an owner gives a role on the page of the user, and a page that is too old asks to sign in again', async (t) => {
    const user = await createAdministrator(service, null);
    const path = `/console/users/${user.id}`;
    const { page, context } = await visit(t, path, { role: 'owner' });
    await page.getByLabel('Role').selectOption('support');
    await waitForStatus(page, 'has the role support now');
    await checkView(page);
    clock.now += RECENT_SIGN_IN_MINUTES * MINUTE;
    await page.getByLabel('Role').selectOption('auditor');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('link', { name: 'Sign in in a new tab' }).waitFor();
    await checkView(page);
    const { cookie } = await signInAs(service, 'owner');
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: service.service.url }]);
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Role').selectOption('auditor');
    await waitForStatus(page, 'has the role auditor now');
    // Downloads as well.
    clock.now += RECENT_SIGN_IN_MINUTES * MINUTE;
    await page.goto('/console/users');
    await page.getByText('Export', { exact: true }).click();
    await page.getByRole('button', { name: 'Export all users' }).click();
    await dialog.getByText(`within the last ${RECENT_SIGN_IN_MINUTES} minutes`).waitFor();
    await service.api.delete('/console/session', fromConsole(cookie));
  });
});
