import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { readData } from '../../../test/support/browser/records.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { atLocalhost, createPasskeyClient } from '../../../test/support/passkeys.ts';
import { useService } from '../../../test/support/service.ts';
import { registerWithTotp } from '../../../test/support/user-totp.ts';

describe('ways to sign in of a user in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the page of a user removes two-step sign-in after a confirmation, and keeps the focus near', async (t) => {
    const { id, email } = await registerWithTotp(service, Date.now());
    const { page } = await visit(t, `/console/users/${id}`);
    await page.getByText('on since').waitFor();
    await page.getByRole('button', { name: 'Remove two-step sign-in' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Remove two-step sign-in of ${email}?` });
    await dialog.getByText('make sure that it was they who asked').waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Remove two-step sign-in' }).click();
    await waitForStatus(page, `Two-step sign-in of ${email} was removed.`);
    await waitForFocus(page, '#sign-in');
    assert.equal((await readData(service, `/api/v1/users/${id}`)).totp_enabled_at, null);
  });

  test('the page of a user shows passkeys, and removes one after a confirmation that names it', async (t) => {
    const { local, newAuthenticator } = atLocalhost(service);
    const { id, email } = await createPasskeyClient(local).newPerson(newAuthenticator());
    const { page } = await visit(t, `/console/users/${id}`);
    await page.getByText('Passkey, made').waitFor();
    await page.getByRole('button', { name: 'Remove Passkey' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Remove Passkey from ${email}?` });
    await dialog.getByText('make sure that it was they who asked').waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Remove passkey' }).click();
    await waitForStatus(page, `Passkey was removed from ${email}.`);
    await waitForFocus(page, '#sign-in');
    assert.deepEqual(await readData(service, `/api/v1/users/${id}/passkeys`), []);
  });
});
