import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForQuery } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const LIST = '/console/users';
const summary = (page: Page, text: string) => page.locator('.summary').filter({ hasText: text }).waitFor();

describe('the filter by metadata in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    const { database } = service.service;
    await insertTestUser(database, { name: 'Pia', appMetadata: '{"plan":"pro"}' });
    await insertTestUser(database, { name: 'Fay', appMetadata: '{"plan":"free"}' });
    await insertTestUser(database, { name: 'Coy', userMetadata: '{"company":"pro"}' });
  });

  test('the filter by metadata lists the users with the text, with a chip that removes it', async (t) => {
    const { page } = await visit(t, LIST);
    await summary(page, '3 users');
    const open = () => page.locator('summary').getByText('Metadata').click();
    await open();
    await page.getByLabel('Member').fill('app_metadata.plan');
    await page.getByLabel('Text, exactly').fill('pro');
    await page.keyboard.press('Enter');
    await summary(page, '1 user');
    await page.getByRole('link', { name: 'Pia' }).waitFor();
    await waitForQuery(page, { metadata: 'app_metadata.plan:pro' });
    await open();
    await checkView(page);
    await page.getByLabel('Member').fill('user_metadata.company');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Coy' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Coy' }).waitFor();
    const chips = page.getByRole('list', { name: 'Filters' });
    await chips.getByRole('link', { name: 'user_metadata.company' }).click();
    await summary(page, '3 users');
    await waitForQuery(page, {});
  });
});
