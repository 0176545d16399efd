/** The pages on PostgreSQL. Their own suites run on SQLite: the API, which both engines serve alike, is all they use. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LINK_PATHS } from '../src/features/mail/links/links.ts';
import { useConsole } from './support/browser/console.ts';
import { createTestLink } from './support/processes/recovery.ts';
import { ENGINES } from './support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from './support/service.ts';
import { insertTestUser } from './support/users.ts';

describe('the pages on PostgreSQL', { skip: !ENGINES.includes('postgres') }, () => {
  const service = useService('postgres');
  const visit = useConsole(service);

  test('the pages on PostgreSQL let the administrator sign in to the console, find a user and change the profile', async (t) => {
    const { id } = await insertTestUser(service.service.database, { name: 'Ada' });
    const { page } = await visit(t, '/console/users', { isSignedIn: false });
    await page.getByLabel('Credential').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').fill('ada');
    await page.waitForURL('**/console/users?search=ada');
    await page.locator('[aria-busy=false] > .list-tools').waitFor();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('textbox', { name: 'Level' }).fill('gold');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('status').filter({ hasText: 'was saved.' }).waitFor();
    const { body } = await service.api.get(`/api/v1/users/${id}`, { token: ADMIN_TOKEN });
    assert.equal(body.data.level, 'gold');
    await page.getByRole('link', { name: '← Users' }).click();
    await page.getByRole('row').filter({ hasText: 'gold' }).waitFor();
  });

  test('the pages on PostgreSQL confirm the email of a user, and show the reference', async (t) => {
    const user = await insertTestUser(service.service.database);
    const link = await createTestLink(service, 'verify_email', { user });
    const { page } = await visit(t, LINK_PATHS.verify_email + link, { isSignedIn: false });
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'is confirmed' }).waitFor();
    await page.goto('/docs');
    await page.locator('section.operation').first().waitFor();
  });
});
