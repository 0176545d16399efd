import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { readData } from '../../../test/support/browser/records.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';
import { type Issuer, startIssuer } from '../../../test/support/upstream/issuer.ts';
import { addProvider, LOOPBACK_ALLOWED } from '../../../test/support/upstream/sign-in.ts';

const PAGE = '/console/sign-in';

describe('the sign-in page of the console', () => {
  const service = useService('sqlite', { environment: LOOPBACK_ALLOWED });
  const visit = useConsole(service);
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.close());
  const read = async (name: string) =>
    (await readData(service, '/api/v1/identity-providers')).find(
      (each: { name: string }) => each.name === name,
    );
  const unfold = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');

  test('the sign-in page adds a provider by keyboard, shows errors at their fields, then the redirect URI and the checks', async (t) => {
    const { page } = await visit(t, PAGE);
    await page.getByText('There are no identity providers yet.').waitFor();
    await checkView(page);
    await tabTo(page, 'main button.primary');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add provider' });
    await dialog.getByLabel('Issuer').fill('ftp://login.example.edu');
    await dialog.getByLabel('Client id').fill('frontdesk');
    await dialog.getByLabel('Client secret').fill('a secret');
    await dialog.getByLabel('Name on the button').fill('University');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await waitForFocus(page, '[name=issuer]');
    await checkView(page);
    await dialog.getByLabel('Issuer').fill(issuer.url);
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    const added = page.getByRole('dialog', { name: 'University was added' });
    await added.waitFor();
    const { id, redirect_uri, trust_email } = await read('University');
    assert.equal(trust_email, false);
    assert.equal((await added.getByRole('group', { name: 'Redirect URI' }).innerText()).trim(), redirect_uri);
    assert.ok(redirect_uri.endsWith(`/sign-in/callback/${id}`));
    await added.getByRole('heading', { name: /checks passed/ }).waitFor();
    await checkView(page);
    await page.keyboard.press('Escape');
    await added.waitFor({ state: 'detached' });
    await waitForStatus(page, 'The identity provider University was added.');
    await page.getByRole('row').filter({ hasText: 'University' }).getByText('On', { exact: true }).waitFor();
  });

  test('the sign-in page edits a provider and keeps its secret, and turns it off and on again with Undo', async (t) => {
    const { id } = await addProvider(service, issuer, { name: 'Staff' });
    const { page } = await visit(t, PAGE);
    await unfold(page, 'Staff');
    await page.getByText(`/sign-in/callback/${id}`).waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Staff' });
    await dialog.getByLabel('Name on the button').fill('Our staff');
    await dialog.getByRole('checkbox', { name: 'Every email' }).check();
    await dialog.getByRole('button', { name: 'Save provider' }).click();
    await waitForStatus(page, 'Staff was changed.');
    const row = page.getByRole('row').filter({ hasText: 'Our staff' });
    await row.getByText('All trusted').waitFor();
    const [updated] = await readData(service, `/api/v1/events?subject=identity_provider:${id}`);
    assert.deepEqual(
      updated.changes.map(({ name }: { readonly name: string }) => name),
      ['name', 'trust_email'],
    );
    await page.getByRole('button', { name: 'Turn off' }).click();
    await waitForStatus(page, 'Our staff was turned off.');
    await row.getByText('Off', { exact: true }).waitFor();
    assert.equal((await read('Our staff')).enabled, false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('On', { exact: true }).waitFor();
    assert.equal((await read('Our staff')).enabled, true);
  });

  test('the sign-in page says which check of a provider fails and why', async (t) => {
    await addProvider(service, issuer, { name: 'Misspelt', issuer: `${issuer.url}/` });
    const { page } = await visit(t, PAGE);
    await unfold(page, 'Misspelt');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('use its spelling').waitFor();
    await page.getByRole('heading', { name: '1 of 2 checks passed' }).waitFor();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await checkView(page);
  });

  test('the sign-in page deletes a provider after a dialog that says what stays', async (t) => {
    await addProvider(service, issuer, { name: 'Former' });
    const { page } = await visit(t, PAGE);
    await unfold(page, 'Former');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Former?' });
    await dialog.getByText('Accounts and their links stay').waitFor();
    await waitForFocus(page, 'dialog .secondary');
    await checkView(page);
    await dialog.getByRole('button', { name: 'Delete provider' }).click();
    await waitForStatus(page, 'Former was deleted.');
    assert.equal(await read('Former'), undefined);
  });

  test('the sign-in page switches registration', async (t) => {
    const { page } = await visit(t, PAGE);
    await page.getByRole('button', { name: 'Change Registration' }).click();
    await page.getByLabel('New value of Registration').selectOption('closed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nobody may register', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Anybody may register', { exact: true }).waitFor();
  });
});
