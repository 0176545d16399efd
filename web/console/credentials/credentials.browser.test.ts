import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createAdministrator } from '../../../test/support/administrators.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

const PAGE = '/console/credentials';
const SUPPORT = ['users:read', 'users:write', 'tokens:write', 'links:send'];
const getLinks = (page: Page) =>
  page.getByRole('navigation', { name: 'Console' }).locator('.nav a[href^="/console/"]').allInnerTexts();

describe('credentials in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const status = async (token: string) => (await service.api.get('/api/v1/users', { token })).status;

  test('the credentials page creates a credential by keyboard, shows errors at their fields, and shows the secret, also after a reload, until it was copied', async (t) => {
    const { page } = await visit(t, PAGE);
    await page.getByText('Owner (ADMIN_TOKEN)').first().waitFor();
    await page.getByText('There are no named credentials yet.').waitFor();
    await tabTo(page, 'main button.primary');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create credential' });
    await dialog.getByRole('button', { name: 'Read everything' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ADMIN_TOKEN');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'The name has already been taken.' }).waitFor();
    await waitForFocus(page, '[name=name]');
    await checkView(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Auditor: Bob');
    await dialog.getByRole('group', { name: 'Events' }).getByLabel('Manage webhooks').check();
    const last = await dialog.getByLabel('Expires').getAttribute('max');
    assert.equal(last, '9999-12-31T23:59', 'a year has four digits');
    await dialog.getByRole('textbox', { name: 'Networks' }).fill('127.0.0.1, 2001:db8::/32');
    await dialog.getByRole('button', { name: 'Create credential' }).click();
    const shown = page.getByRole('dialog', { name: 'The credential Auditor: Bob' });
    await shown.getByText('shown only now').waitFor();
    const secret = (await shown.getByRole('group', { name: 'Credential' }).innerText()).trim();
    assert.equal(await status(secret), 200);
    await page.reload();
    assert.equal((await shown.getByRole('group', { name: 'Credential' }).innerText()).trim(), secret);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await waitForStatus(page, 'The credential Auditor: Bob was created.');
    const row = page.getByRole('row').filter({ hasText: 'Auditor: Bob' });
    await row.getByText('See users, See groups, See events, Manage webhooks, See forms').waitFor();
    await row.getByText('127.0.0.1/32, 2001:db8::/32').waitFor();
    await page.reload();
    await row.waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
  });

  test('the credentials page rotates a credential with an overlap, and revokes it after a confirmation that names it', async (t) => {
    const { secret, record, path } = await createCredential(service, SUPPORT, { name: 'Support: Ada' });
    const { page } = await visit(t, PAGE);
    const row = page.getByRole('row').filter({ hasText: 'Support: Ada' });
    await row.getByText('See users, Change users, Revoke tokens, Send links').waitFor();
    await page.getByRole('button', { name: 'Rotate Support: Ada' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate Support: Ada?' });
    assert.equal(await dialog.getByLabel('stays valid for').inputValue(), '86400');
    await dialog.getByLabel('stays valid for').selectOption('not at all: it is rejected at once');
    await checkView(page);
    await dialog.getByRole('button', { name: 'Rotate Support: Ada' }).click();
    const shown = page.getByRole('dialog', { name: 'The new secret of Support: Ada' });
    const rotated = (await shown.getByRole('group', { name: 'Credential' }).innerText()).trim();
    assert.deepEqual([await status(secret), await status(rotated)], [401, 200]);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Revoke Support: Ada' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Revoke the credential “Support: Ada”?' });
    await confirmation.getByRole('button', { name: 'Revoke credential' }).click();
    await waitForStatus(page, 'The credential Support: Ada was revoked.');
    assert.equal((await service.api.get(path, { token: ADMIN_TOKEN })).status, 404);
    await page.goto(`/console/events?subject=credential:${record.id}`);
    await page.getByRole('row').filter({ hasText: 'Credential revoked' }).waitFor();
  });

  test('the console of a support person has their name, and nothing that their scopes do not permit', async (t) => {
    const user = await insertLoggedInUser(service.service.database);
    const owner = await createAdministrator(service, 'owner');
    const { page, context } = await visit(t, '/console/users', { role: 'support' });
    await page.getByRole('row').filter({ hasText: user.email! }).waitFor();
    assert.deepEqual(await getLinks(page), ['Users', 'Groups', 'Mail']);
    await page.getByRole('checkbox', { name: `Select ${user.email}` }).check();
    await page.getByRole('button', { name: 'Revoke tokens' }).waitFor();
    await page.goto(`/console/users/${user.id}`);
    await page.locator('summary', { hasText: 'Send a link' }).waitFor();
    await page.getByRole('button', { name: /^Revoke Unknown device/ }).waitFor();
    assert.equal(await page.getByLabel('Role').count(), 0);
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.goto(`/console/users/${owner.id}`);
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    for (const name of [/^Save/, /^Erase/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name));
    await page.goto('/console');
    await page.getByRole('heading', { name: 'New users per day' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Latest events' }).count(), 0);
    await page.goto(PAGE);
    await page.getByRole('heading', { name: 'You may not open this page' }).waitFor();
    await checkView(page);
    await context.clearCookies();
    await page.goto('/console/users');
    await page.waitForURL('**/sign-in?return_to=%2Fconsole%2Fusers');
  });

  test('the list of users cannot be selected by an auditor, who has no action for it', async (t) => {
    const { page } = await visit(t, '/console/users', { role: 'auditor' });
    await page.getByRole('row').nth(1).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    assert.deepEqual(await getLinks(page), [
      ...['Users', 'Groups', 'Forms', 'Events', 'Mail', 'Applications', 'Settings', 'Brand', 'Backups'],
    ]);
  });
});
