import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { insertIdentity } from '../../../src/features/identity-providers/queries.ts';
import { newId } from '../../../src/lib/secrets/ids.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { registerWithTotp } from '../../../test/support/user-totp.ts';
import { register } from '../../../test/support/users.ts';

describe('ways to sign in of a user in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const link = (userId: string) => {
    const times = { created_at: Date.now(), last_used_at: Date.now() };
    const account = { issuer: 'https://login.example.edu', subject: '248289', email: 'ada@example.edu' };
    return service.service.database.transaction((tx) =>
      insertIdentity(tx, { id: newId(), user_id: userId, ...account, ...times }),
    );
  };
  const get = async (path: string) => (await service.api.get(path, { token: ADMIN_TOKEN })).body.data;

  test('the page of a user unlinks an identity after a confirmation that names it', async (t) => {
    const { id, email } = await register(service);
    await link(id);
    const { page } = await visit(t, `/console/users/${id}`);
    await page.getByText('ada@example.edu').waitFor();
    await page.getByRole('button', { name: 'Unlink login.example.edu' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Unlink login.example.edu from ${email}?` });
    await dialog.getByText('ada@example.edu').waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Unlink' }).click();
    await waitForStatus(page, `login.example.edu was unlinked from ${email}.`);
    assert.deepEqual(await get(`/api/v1/users/${id}/identities`), []);
  });

  test('a person who only reads users sees ways to sign in without buttons', async (t) => {
    const { id } = await registerWithTotp(service, Date.now());
    await link(id);
    const { page } = await visit(t, `/console/users/${id}`, { role: 'auditor' });
    await page.getByText('ada@example.edu').waitFor();
    assert.equal(await page.getByRole('button', { name: /^(?:Unlink|Remove)/ }).count(), 0);
  });
});
