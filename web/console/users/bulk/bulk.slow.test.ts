import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, endSession, NARROW, useConsole } from '../../../../test/support/browser/console.ts';
import { tabTo, waitForFocus, waitForFocusedText } from '../../../../test/support/browser/keyboard.ts';
import { changeRecord, readData } from '../../../../test/support/browser/records.ts';
import { press, waitForAlert, waitForStatus } from '../../../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';

describe('actions on many users in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  const getState = async (id: string) => (await readData(service, `/api/v1/users/${id}`))?.state ?? 'erased';
  /** Inserts users whose names begin with `prefix`. */
  const insert = async (prefix: string, states: readonly ('active' | 'disabled' | 'unclaimed')[]) => {
    const { database } = service.service;
    const names = states.map((state, index) => ({ name: `${prefix} ${index}`, state }));
    return Promise.all(names.map((user) => insertTestUser(database, user)));
  };
  const insertMany = (prefix: string, count: number, state: 'active' | 'unclaimed' = 'active') =>
    insert(prefix, Array(count).fill(state));
  const selectAll = async (page: Page, count: number) => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText(`${count} selected:`).waitFor();
  };

  test('bulk actions report that no user was changed when all were disabled already, and offer no Undo', async (t) => {
    await insert('Already', ['disabled', 'disabled', 'disabled']);
    const { page } = await visit(t, '/console/users?search=already');
    await selectAll(page, 3);
    await press(page, 'Disable…');
    await page.getByRole('button', { name: 'Disable 3 users' }).click();
    await waitForStatus(page, 'No user disabled, 3 were disabled already.');
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  });

  test('bulk actions keep layout and focus while users are selected and changed, on a phone', async (t) => {
    await insertMany('Still', 60);
    const { page } = await visit(t, '/console/users?search=still', { viewport: NARROW });
    const table = () =>
      page.locator('table.users').evaluate((element) => element.getBoundingClientRect().top);
    const disable = page.getByRole('button', { name: 'Disable…', exact: true });
    const settled = () => page.locator('[aria-busy=false] > .list-tools').waitFor();
    await page.locator('tbody tr').nth(49).waitFor();
    await settled();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).focus();
    const top = await table();
    await page.keyboard.press('Space');
    await page.getByText('50 selected:').waitFor();
    assert.equal(await table(), top, 'after the selection');
    await disable.press('Enter');
    await page.getByRole('button', { name: 'Disable 50 users' }).press('Enter');
    await waitForStatus(page, '50 users disabled.');
    await page.locator('tbody tr').filter({ hasText: 'Disabled' }).nth(49).waitFor();
    await settled();
    await waitForFocus(page, '.list-tools');
    assert.equal(await page.locator('.bulk').count(), 0, 'no bar without a selection');
    assert.equal(await table(), top, 'after the action');

    // At the end of the page, where the window moves when the page becomes shorter.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await table();
    assert.notEqual(end, top);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await waitForStatus(page, 'Undone: 50 users enabled.');
    await page.locator('tbody tr').filter({ hasText: 'Active' }).nth(49).waitFor();
    await settled();
    await waitForFocusedText(page, 'Dismiss');
    assert.equal(await table(), end, 'after Undo');
    await page.keyboard.press('Enter');
    await page.getByText('Undone:').waitFor({ state: 'detached' });
    await waitForFocus(page, '.list-tools');
    assert.equal(await table(), end, 'after the message');
  });

  test('bulk actions run for all users that match, on all pages, as they were when they were selected', async (t) => {
    const states = Array.from({ length: 130 }, () => 'active' as 'active' | 'disabled').with(0, 'disabled');
    const users = await insert('Matching', states);
    const { page } = await visit(t, '/console/users?search=matching');
    await page.locator('[aria-busy=false] > .list-tools').waitFor();
    const getTops = () =>
      page.evaluate(() =>
        ['table.users', '.bulk > button'].map(
          (selector) => document.querySelector(selector)?.getBoundingClientRect().top,
        ),
      );
    await page.locator('tbody tr').first().getByRole('checkbox').check();
    await page.getByText('1 selected:').waitFor();
    const tops = await getTops();
    await selectAll(page, 50);
    const extend = page.getByRole('button', { name: 'Select all 130 users that match' });
    await extend.waitFor();
    assert.deepEqual(await getTops(), tops, 'nothing moves');
    await extend.press('Enter');
    await page.getByText('130 selected:').waitFor();
    await page.getByText('All 130 users that match are selected.').waitFor();
    await waitForFocus(page, '.all-matching');
    const late = await insertTestUser(service.service.database, { name: 'Matching later' });
    await changeRecord(service, `/api/v1/users/${users[9]!.id}`, { level: 'gold' });
    await press(page, 'Disable…');
    const dialog = page.getByRole('dialog', { name: 'Disable 130 users?' });
    await dialog.getByText('and 80 more users').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 51);
    await dialog.getByRole('button', { name: 'Disable 130 users' }).click();
    const failures = page.getByRole('dialog', { name: '1 user not disabled' });
    await failures.getByText('Somebody else has changed this user since they were listed.').waitFor();
    await failures.getByRole('button', { name: 'Retry failed users' }).click();
    const status = page.getByRole('status');
    await status.filter({ hasText: '129 users disabled, 1 was disabled already.' }).waitFor();
    assert.equal(await getState(late.id), 'active');
    for (const { id } of [users[1]!, users[9]!, users[129]!]) assert.equal(await getState(id), 'disabled');
    await page.getByRole('button', { name: 'Undo' }).click();
    await status.filter({ hasText: 'Undone: 129 users enabled.' }).waitFor();
    assert.equal(await getState(users[0]!.id), 'disabled');
    assert.equal(await getState(users[129]!.id), 'active');
  });

  test('bulk actions name the number of users in a state, and stop reading them on request', async (t) => {
    await insertMany('Counted', 60, 'unclaimed');
    // The figures are computed at most every two seconds.
    const count = async () => (await readData(service, '/api/v1/admin/dashboard')).users.by_state.unclaimed;
    await until(async () => (await count()) === 60, 'the users are counted');
    const { page } = await visit(t, '/console/users?state=unclaimed');
    await selectAll(page, 50);
    const { promise: stopped, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/users?limit=100*', async (route) => {
      await stopped;
      await route.continue().catch(() => {});
    });
    const extend = page.getByRole('button', { name: 'Select all 60 users that match' });
    await extend.click();
    await page.getByRole('button', { name: 'Stop reading' }).click();
    await extend.waitFor();
    await page.getByText('50 selected:').waitFor();
    release();
    await page.unroute('**/api/v1/users?limit=100*');
    await extend.click();
    await page.getByText('60 selected:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('60 selected:').waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody :checked').count(), 0);
  });

  test('bulk actions move the focus to the tools of the list when all of its users are erased', async (t) => {
    await insert('Gone', ['active']);
    const { page } = await visit(t, '/console/users?search=gone&state=active');
    await selectAll(page, 1);
    await page.getByRole('button', { name: 'Disable…', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Disable 1 user' }).press('Enter');
    await page.getByText('No name or email contains').waitFor();
    await waitForFocus(page, '.list-tools');
  });

  test('bulk actions leave out unclaimed users, who can be neither disabled nor enabled, and say so', async (t) => {
    const users = await insert('Mixed', ['active', 'unclaimed', 'unclaimed']);
    const { page } = await visit(t, '/console/users?search=mixed');
    await selectAll(page, 3);
    await press(page, 'Disable…');
    const dialog = page.getByRole('dialog', { name: 'Disable 1 user?' });
    await dialog.getByText('2 users without a password are left out').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    await dialog.getByRole('button', { name: 'Disable 1 user' }).click();
    await waitForStatus(page, '1 user disabled.');
    assert.equal(await getState(users[1]!.id), 'unclaimed');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Unclaimed');
    await page.locator('.summary').getByText('2 users').waitFor();
    await selectAll(page, 2);
    await press(page, 'Enable…');
    await page.getByRole('dialog', { name: 'There is nobody to enable' }).waitFor();
    await checkView(page);
    await page.keyboard.press('Escape');
    await waitForFocusedText(page, 'Enable…');
  });

  test('bulk actions erase the selected users by keyboard, only after their number was typed', async (t) => {
    const users = await insert('Erased', ['active', 'disabled']);
    const { page } = await visit(t, '/console/users?search=erased');
    await tabTo(page, '[aria-label="Select all on this page"]');
    await page.keyboard.press('Space');
    await page.getByText('2 selected:').waitFor();
    await page.getByRole('button', { name: 'Erase…' }).press('Enter');
    await page.getByLabel('Type 2 to confirm').waitFor();
    const listed = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
    assert.deepEqual(listed.map((text) => /^Erased \d/.exec(text)?.[0]).sort(), ['Erased 0', 'Erased 1']);
    await page.keyboard.press('Enter');
    await waitForAlert(page, 'Nothing has been changed.');
    assert.equal(await getState(users[0]!.id), 'active');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await waitForStatus(page, '2 users erased.');
    for (const { id } of users) assert.equal(await getState(id), 'erased');
    await page.getByText('No name or email contains').waitFor();
  });

  test('bulk actions revoke the tokens of the selected users and leave the others signed in', async (t) => {
    const { database } = service.service;
    const user = await insertLoggedInUser(database);
    const other = await insertLoggedInUser(database);
    const { page } = await visit(t, `/console/users?search=${user.email}`);
    await selectAll(page, 1);
    await page.getByRole('button', { name: 'Revoke tokens' }).click();
    await page.getByRole('button', { name: 'Revoke the tokens of 1 user' }).click();
    await waitForStatus(page, '1 user signed out everywhere.');
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).status, 401);
    assert.equal((await service.api.get('/api/v1/me', { token: other.token })).status, 200);
  });

  /** Shows the users with this name, and selects all of them on all pages. */
  const selectMatching = async (page: Page, count: number) => {
    await selectAll(page, 50);
    await page.getByRole('button', { name: `Select all ${count} users that match` }).click();
    await page.getByText(`${count} selected:`).waitFor();
  };

  test('bulk actions continue with the remaining users after the session has ended in the middle', async (t) => {
    const users = await insertMany('Halfway', 210);
    const { page, context } = await visit(t, '/console/users?search=halfway');
    await selectMatching(page, 210);
    let requests = 0;
    await page.route('**/api/v1/users/batch', async (route) => {
      if (++requests === 2) await endSession(service, context);
      await route.continue();
    });
    await press(page, 'Disable…');
    await page.getByRole('button', { name: 'Disable 210 users' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const failures = page.getByRole('dialog', { name: '110 users not disabled' });
    await failures.getByText('and 10 more').waitFor();
    assert.equal(requests, 2);
    await checkView(page);
    await failures.getByRole('button', { name: 'Retry failed users' }).click();
    await waitForStatus(page, '210 users disabled.');
    assert.equal(requests, 4);
    for (const { id } of [users[0]!, users[150]!, users[209]!]) assert.equal(await getState(id), 'disabled');
  });

  test('bulk actions stop on request after the batch under way, and report who was not tried', async (t) => {
    const users = await insertMany('Stopped', 105);
    const { page } = await visit(t, '/console/users?search=stopped');
    await selectMatching(page, 105);
    const { promise: stopped, resolve: release } = Promise.withResolvers<void>();
    // A service that responds late.
    await page.route('**/api/v1/users/batch', async (route) => {
      await stopped;
      await route.continue();
    });
    await press(page, 'Disable…');
    await page.getByRole('button', { name: 'Disable 105 users' }).click();
    await page.getByRole('progressbar', { name: 'Disable 105 users' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    const failures = page.getByRole('dialog', { name: '5 users not disabled' });
    await failures.getByText('100 users disabled, 5 failed.').waitFor();
    assert.equal(await failures.getByText('Not tried, because you stopped.').count(), 5);
    await failures.getByRole('button', { name: 'Close' }).click();
    await page.getByText('5 selected:').waitFor();
    const states = await Promise.all(users.map(({ id }) => getState(id)));
    assert.equal(states.filter((state) => state === 'disabled').length, 100);
  });
});
