import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApplication } from '../../../test/support/applications.ts';
import { checkView, NARROW, useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { readData } from '../../../test/support/browser/records.ts';
import { press, waitForStatus } from '../../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const LIST = '/console/groups';
const PATH = '/api/v1/groups';
const admin = { token: ADMIN_TOKEN };

describe('groups in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const create = async (title: string, memberNames: readonly string[] = []) => {
    const { body } = await service.api.post(PATH, { name: title.toLowerCase(), title }, admin);
    const members = await Promise.all(
      memberNames.map((name) => insertTestUser(service.service.database, { name })),
    );
    const add = members.map(({ id }) => id);
    if (add.length > 0) await service.api.post(`${PATH}/${body.data.id}/users/batch`, { add }, admin);
    return { id: body.data.id as string, members };
  };
  const limit = async (name: string, allowed_groups: readonly string[]) =>
    (await createApplication(service, { name, allowed_groups })).id;
  const readGroups = async (id: string) => (await readData(service, `/api/v1/users/${id}`)).groups;

  test('the page of a group searches its members, removes one after a dialog that names what it opens, adds others, and changes its title', async (t) => {
    const { id, members } = await create('Editors', ['Edith', 'Egon']);
    await limit('Magazine', [id]);
    const other = await insertTestUser(service.service.database, { name: 'Else' });
    const { page } = await visit(t, `${LIST}/${id}`);
    await page.getByText('· 2 members ·').waitFor();
    await page.getByRole('link', { name: 'Magazine' }).waitFor();
    await page.getByLabel('Search members').fill('edi');
    await page.getByRole('row').filter({ hasText: 'Egon' }).waitFor({ state: 'detached' });
    await checkView(page);
    await press(page, `Remove ${members[0]!.email}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the user is signed out at once').waitFor();
    await dialog.getByText('Magazine').waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Remove from the group' }).click();
    await page.getByText('No member matches the search.').waitFor();
    assert.deepEqual(await readGroups(members[0]!.id), []);
    await press(page, 'Add people…');
    await dialog.getByLabel('Name or email').fill('el');
    await dialog.getByRole('button', { name: 'Else' }).click();
    await waitForFocus(page, 'dialog input');
    await dialog.getByRole('button', { name: 'Leave out Else' }).waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Add 1 user' }).click();
    await waitForStatus(page, `${other.email} is in Editors now.`);
    assert.deepEqual(await readGroups(other.id), ['editors']);
    await press(page, 'Change…');
    await dialog.getByLabel('Title').fill('Publishers');
    await press(page, 'Save group');
    await page.getByRole('heading', { level: 1, name: 'Publishers' }).waitFor();
  });

  test('the dialog that deletes a group says how many people lose which applications, and which are open to nobody', async (t) => {
    const { id } = await create('Owners', ['Olga', 'Otto']);
    const { id: second } = await create('Guests');
    await limit('Vault', [id]);
    await limit('Lobby', [id, second]);
    const { page } = await visit(t, LIST);
    await page.getByRole('row').filter({ hasText: 'Owners' }).getByText('Vault, Lobby').waitFor();
    await checkView(page);
    await page.getByRole('link', { name: 'Owners' }).click();
    await page.locator('summary', { hasText: 'More' }).click();
    await press(page, 'Delete group…');
    const dialog = page.getByRole('dialog', { name: 'Delete Owners?' });
    await dialog.getByText('The group has 2 members.').waitFor();
    await dialog.getByText('Nobody can sign in to Vault until').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 2);
    await checkView(page);
    await dialog.getByRole('button', { name: 'Delete group' }).click();
    await waitForStatus(page, 'The group Owners was deleted.');
    assert.equal(await readData(service, `${PATH}/${id}`), undefined);
  });

  test('the page of an application keeps a deleted group until it is left out, and names groups to auditors', async (t) => {
    const { id } = await create('Former');
    const { id: kept } = await create('Present');
    const application = await limit('Archive', [id, kept]);
    await service.api.delete(`${PATH}/${id}`, admin);
    const { page } = await visit(t, `/console/applications/${application}`, { role: 'auditor' });
    await page.getByText('Present', { exact: true }).waitFor();
    await page.context().clearCookies();
    const { page: own } = await visit(t, `/console/applications/${application}`, { viewport: NARROW });
    await own.getByLabel('A group that was deleted').uncheck();
    await checkView(own);
    await press(own, 'Save application');
    await waitForStatus(own, 'The application Archive was saved.');
    const { allowed_groups } = await readData(service, `/api/v1/applications/${application}`);
    assert.deepEqual(allowed_groups, [kept]);
  });

  test('the page of a user shows the groups, adds one and removes it', async (t) => {
    await create('Readers');
    const { id } = await insertTestUser(service.service.database, { name: 'Rita' });
    const { page } = await visit(t, `/console/users/${id}`);
    const panel = page.getByRole('region', { name: 'Groups' });
    await panel.getByText('The user is in no group.').waitFor();
    await press(page, 'Add to a group…');
    await page.getByRole('dialog').getByLabel('Group').selectOption('Readers');
    await checkView(page);
    await press(page, 'Add to the group');
    await panel.getByRole('link', { name: 'Readers' }).waitFor();
    assert.deepEqual(await readGroups(id), ['readers']);
    await panel.getByRole('button', { name: 'Remove from Readers' }).click();
    await press(page, 'Remove from the group');
    await panel.getByText('The user is in no group.').waitFor();
    assert.deepEqual(await readGroups(id), []);
  });

  test('the users list adds the selected users to a group, filters by it, and shows the groups as a column', async (t) => {
    const { id, members } = await create('Walkers', ['Walt']);
    const { database } = service.service;
    const added = await Promise.all(['Wanda', 'Wim'].map((name) => insertTestUser(database, { name })));
    const { page } = await visit(t, '/console/users?columns=name,groups');
    for (const { email } of added) await page.getByRole('checkbox', { name: `Select ${email}` }).check();
    await press(page, 'Add to a group…');
    await page.getByRole('dialog').getByLabel('Group').selectOption('Walkers');
    await press(page, 'Add to the group');
    await waitForStatus(page, '2 users are in Walkers now.');
    assert.equal(await page.locator('.bulk').count(), 0);
    await page.getByLabel('Group', { exact: true }).selectOption('Walkers');
    await page.getByText('3 users', { exact: true }).waitFor();
    const rows = await page.locator('tbody tr').allInnerTexts();
    assert.deepEqual(rows.map((row) => row.replace(/\s+/g, ' ').trim()).toSorted(), [
      'Walt walkers',
      'Wanda walkers',
      'Wim walkers',
    ]);
    await checkView(page);
    assert.deepEqual(await readGroups(members[0]!.id), ['walkers']);
    await service.api.delete(`${PATH}/${id}`, admin);
  });

  test('people who only read groups see them without buttons', async (t) => {
    const { id } = await create('Seen', ['Selma']);
    const { page } = await visit(t, `${LIST}/${id}`, { role: 'support' });
    await page.getByRole('link', { name: 'Selma' }).waitFor();
    for (const name of ['Add people…', 'Change…', /^Remove/, 'Create group'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name));
    assert.equal(await page.getByRole('checkbox').count(), 0);
    assert.equal(await page.getByRole('heading', { name: 'Applications that it opens' }).count(), 0);
    await page.getByRole('link', { name: 'Back to groups' }).click();
    await page.getByRole('row').filter({ hasText: 'Seen' }).waitFor();
  });
});
