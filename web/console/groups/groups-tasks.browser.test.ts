/** A task with groups, from nothing and back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApplication } from '../../../test/support/applications.ts';
import { useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { readData } from '../../../test/support/browser/records.ts';
import { waitForEmptyList, waitForStatus } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

describe('tasks with groups in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('an administrator creates a group, adds two people, lets only it into an application, and undoes it', async (t) => {
    for (const name of ['Ada', 'Grace']) await insertTestUser(service.service.database, { name });
    const application = `/applications/${(await createApplication(service, { name: 'Orders' })).id}`;
    const readAllowed = async () => (await readData(service, `/api/v1${application}`)).allowed_groups;
    const { page } = await visit(t, '/console/groups');
    const hands = createHands(page);
    await waitForEmptyList(page, 'No groups yet');
    await hands.press('Create group');
    await hands.fill('Title', 'Staff');
    await hands.fill('Name', 'staff');
    await hands.confirm('Create group');
    await page.getByText('Nobody is in this group yet.').waitFor();
    await hands.press('Add people…');
    for (const name of ['Ada', 'Grace']) {
      await hands.fill('Name or email', name);
      await hands.confirm(name);
    }
    await hands.confirm('Add 2 users');
    await waitForStatus(page, '2 users are in Staff now.');
    await page.getByText('· 2 members ·').waitFor();
    hands.check(10);
    const group = page.url();

    await page.goto(`/console${application}`);
    await page.getByLabel('These groups only').check();
    await page.getByText('Nobody can sign in before you choose a group.').waitFor();
    await page.getByLabel('Staff').check();
    await page.getByText('are signed out of it when you save').waitFor();
    await hands.press('Save application');
    await waitForStatus(page, 'The application Orders was saved.');
    assert.deepEqual(await readAllowed(), [group.split('/').at(-1)]);

    await page.getByRole('radio', { name: 'Everybody' }).check();
    await hands.press('Save application');
    await page.getByRole('button', { name: 'Save application', disabled: false }).waitFor();
    await page.goto(group);
    await page.getByText('None. Choose the group').waitFor();
    assert.equal(await readAllowed(), null);
    await page.getByLabel('Select all members').check();
    await page.locator('.bulk').getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByText('No application is limited to this group.').waitFor();
    await hands.confirm('Remove 2 users');
    await page.getByText('Nobody is in this group yet.').waitFor();
    await page.locator('summary', { hasText: 'More' }).click();
    await hands.press('Delete group…');
    await hands.confirm('Delete group');
    await waitForEmptyList(page, 'No groups yet');
  });
});
