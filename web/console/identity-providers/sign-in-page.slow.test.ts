import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
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
