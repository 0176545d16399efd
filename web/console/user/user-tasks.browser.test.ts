/** Tasks on the page of a user, each with the most interactions it may need. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { changeRecord, readData } from '../../../test/support/browser/records.ts';
import { limited } from '../../../test/support/limits.ts';
import { logIn } from '../../../test/support/processes/recovery.ts';
import { newUserData, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import {
  createUnclaimedUser,
  insertLoggedInUser,
  insertTestUser,
  register,
} from '../../../test/support/users.ts';

const NARROW = { viewport: { width: 320, height: 800 } };
const cannotLogIn = /cannot sign in$/;

describe('tasks on the page of a user', () => {
  const limits = limited({ RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_LOGIN_ACCOUNT: '4/3600' });
  const service = useService('sqlite', limits);
  const visit = useConsole(service);
  const countEvents = async ({ id }: { id: string }) =>
    (await readData(service, `/api/v1/users/${id}/events`)).length;

  test('a search for the email leads to the reason why a person cannot sign in, and unlocks them, in three interactions', async (t) => {
    const ada = { ...(await register(service, { ...newUserData(), name: 'Ada' })) };
    for (let attempt = 0; attempt < 6; attempt++)
      await logIn(service, { ...ada, password: 'a wrong password' });
    await until(async () => (await countEvents(ada)) === 6, 'the events are numbered');
    const { page } = await visit(t, '/console/users');
    const hands = createHands(page);
    await hands.fill('Search', ada.email);
    await hands.follow('Ada');
    const notice = page.getByRole('region', { name: cannotLogIn });
    await notice.getByText(/^Locked until .*\d:\d\d:\d\d\s[AP]M, at least from one network/).waitFor();
    await notice.getByText(/^\d rejected attempts \(.*wrong password 4.*Today, .*from 127/).waitFor();
    await hands.press('Unlock');
    hands.check(3);
    await page.getByText('was unlocked.').waitFor();
    await waitForFocus(page, 'h1');
    assert.equal((await logIn(service, ada)).status, 200);
    await page.reload();
    await page.locator('.timeline li').first().waitFor();
    assert.equal(await page.locator('.notice').count(), 0, 'nothing is shown while they can sign in');
  });

  test('the reason is shown for disabled, unclaimed and unverified accounts, with what helps', async (t) => {
    const disabled = await insertTestUser(service.service.database, { state: 'disabled' });
    const unclaimed = await createUnclaimedUser(service);
    const unverified = await insertTestUser(service.service.database);
    const { page } = await visit(t, `/console/users/${disabled.id}`, NARROW);
    const notice = page.getByRole('region', { name: cannotLogIn });
    await notice.getByRole('button', { name: 'Enable' }).waitFor();
    await checkView(page);
    await page.goto(`/console/users/${unclaimed.id}`);
    await notice.getByText('who has not set a password yet').waitFor();
    await notice.getByRole('button', { name: 'Send a link to set up the account' }).waitFor();
    await changeRecord(service, '/api/v1/admin/settings', { REQUIRE_VERIFIED_EMAIL: 'true' });
    await page.goto(`/console/users/${unverified.id}`);
    await notice.getByText('The email is not verified').waitFor();
    await notice.getByRole('button', { name: 'Send a link to verify the email' }).waitFor();
  });

  test('two accounts of one person are merged from the page of one in five interactions', async (t) => {
    const { database } = service.service;
    const [kept, other] = [
      await insertLoggedInUser(database),
      await insertTestUser(database, { name: 'Grace Merged', level: 'gold' }),
    ];
    await changeRecord(service, `/api/v1/users/${kept.id}`, { name: 'Grace Merged' });
    const { page } = await visit(t, `/console/users/${kept.id}`, NARROW);
    const hands = createHands(page);
    await hands.unfold('More');
    await hands.press('Merge…');
    await hands.press(other.email!);
    await page.getByText('This cannot be undone.').waitFor();
    const hidden = await page.getByRole('dialog').evaluate((dialog) => ({
      above: dialog.scrollTop,
      below: dialog.scrollHeight - dialog.clientHeight,
    }));
    assert.ok(hidden.above === 0 && hidden.below > 0, 'a long dialog opens at its top');
    await checkView(page);
    await page.getByLabel('Take Level').check();
    await hands.fill(`Type ${other.email} to confirm`, other.email!);
    await hands.confirm('Merge accounts');
    hands.check(5);
    await page.getByText(`${other.email} was merged into ${kept.email}.`).waitFor();
    assert.equal(await readData(service, `/api/v1/users/${other.id}`), undefined);
    assert.equal((await readData(service, `/api/v1/users/${kept.id}`)).level, 'gold');
    await page.locator('.timeline').getByRole('button', { name: 'Users merged' }).waitFor();
    assert.equal(await page.locator(':is(bdi, code, pre):not([translate=no])').count(), 0);
    assert.ok((await page.locator('code[translate=no]').count()) > 0, 'ids are not translated');
  });

  test('the other account stays if the person chooses so, and its page is shown then', async (t) => {
    const { database } = service.service;
    const [erased, kept] = [await insertTestUser(database), await insertTestUser(database)];
    const { page } = await visit(t, `/console/users/${erased.id}`);
    const hands = createHands(page);
    await hands.unfold('More');
    await hands.press('Merge…');
    await hands.fill('The other account of this person', kept.email!);
    await hands.press(kept.email!);
    await hands.press('Keep the other account instead');
    await hands.fill(`Type ${erased.email} to confirm`, erased.email!);
    await hands.confirm('Merge accounts');
    await page.waitForURL(`**/console/users/${kept.id}`);
    assert.equal(await readData(service, `/api/v1/users/${erased.id}`), undefined);
  });

  test('the page of a user leads to what they did in one interaction', async (t) => {
    const user = await insertTestUser(service.service.database, { name: 'Bob' });
    const { page } = await visit(t, `/console/users/${user.id}`);
    const hands = createHands(page);
    await hands.follow('What Bob did');
    await page.waitForURL(({ searchParams }) => searchParams.get('actor') === user.id);
    hands.check(1);
  });
});
