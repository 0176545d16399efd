import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { insertIdentity } from '../../../src/features/identity-providers/queries.ts';
import { newId } from '../../../src/lib/secrets/ids.ts';
import { checkView, useConsole, whileOffline } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus, waitForFocusedText } from '../../../test/support/browser/keyboard.ts';
import { changeRecord, createRecord, readData } from '../../../test/support/browser/records.ts';
import { waitForAlert, waitForStatus } from '../../../test/support/browser/steps.ts';
import { atLocalhost, createPasskeyClient } from '../../../test/support/passkeys.ts';
import { logIn, waitingKinds } from '../../../test/support/processes/recovery.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { registerWithTotp } from '../../../test/support/user-totp.ts';
import {
  insertLoggedInUser,
  insertTestToken,
  insertTestUser,
  register,
} from '../../../test/support/users.ts';

const admin = { token: ADMIN_TOKEN };
const toPath = ({ id }: { id: string }) => `/console/users/${id}`;
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const openMenu = (page: Page, name: string) => page.locator('summary', { hasText: name }).press('Enter');

describe('the profile of a user in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  const read = ({ id }: { id: string }) => readData(service, `/api/v1/users/${id}`);
  const change = ({ id }: { id: string }, changes: object) =>
    changeRecord(service, `/api/v1/users/${id}`, changes);
  const insert = () => insertTestUser(service.service.database, { name: 'Ada', level: 'gold' });

  test('the user profile is edited by keyboard, with errors at their fields, and sends only changed members', async (t) => {
    const user = await insert();
    const { page } = await visit(t, toPath(user));
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await tabTo(page, 'input[name=email]');
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('The email field must be a valid email address.').waitFor();
    assert.equal(await field(page, 'Email').getAttribute('aria-invalid'), 'true');
    const email = newUserData().email;
    await field(page, 'Email').fill(email);
    await field(page, 'Level').fill('');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sent).postDataJSON(), { email, level: null });
    assert.equal((await sent).headers()['if-match'], '"1"');
    await waitForStatus(page, `The profile of ${email} was saved.`);
    await waitForFocus(page, 'input[name=level]');
    const { name, level, version } = await read(user);
    assert.deepEqual([name, level, version], ['Ada', null, 2]);
    await page.getByRole('button', { name: 'Save profile' }).click();
    await waitForStatus(page, 'Nothing has to be saved');
  });

  test('the time zone of a user is chosen from a list, in which an older name of one stays', async (t) => {
    const user = await insert();
    await change(user, { zoneinfo: 'US/Pacific' });
    const { page } = await visit(t, toPath(user), { viewport: { width: 320, height: 800 } });
    const zone = page.getByLabel('Time zone');
    assert.equal(await zone.inputValue(), 'US/Pacific');
    await checkView(page);
    for (const [label, zoneinfo] of [
      ['Europe/Berlin', 'Europe/Berlin'],
      ['not known', null],
    ] as const) {
      await zone.selectOption({ label });
      await page.getByRole('button', { name: 'Save profile' }).click();
      await until(async () => (await read(user)).zoneinfo === zoneinfo, `the time zone is ${zoneinfo}`);
    }
  });

  test('app_metadata of a user is changed as JSON, with an error for other text, and the change is undone', async (t) => {
    const user = await insert();
    await change(user, { user_metadata: { theme: 'dark' }, app_metadata: { plan: 'gold', seats: 3 } });
    const { page } = await visit(t, toPath(user));
    await page.getByText('"theme": "dark"').waitFor();
    await page.getByRole('button', { name: 'Change app_metadata…' }).click();
    const text = page.getByLabel('app_metadata as JSON');
    await text.fill('{"plan":');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Write a JSON object').waitFor();
    await checkView(page);
    await text.fill('{"plan":"silver"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await waitForStatus(page, `app_metadata of ${user.email} was saved.`);
    assert.deepEqual((await read(user)).app_metadata, { plan: 'silver' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForStatus(page, `app_metadata of ${user.email} is as it was.`);
    assert.deepEqual((await read(user)).app_metadata, { plan: 'gold', seats: 3 });
  });

  test('the user profile shows both versions after a conflict, and saves a choice for each field', async (t) => {
    const user = await insert();
    const { page } = await visit(t, toPath(user));
    await field(page, 'Name').fill('Ada mine');
    await field(page, 'Level').fill('mine');
    await change(user, { name: 'Ada theirs', level: 'theirs', state: 'disabled' });
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('heading', { name: 'Another person has changed this user' }).waitFor();
    await waitForFocus(page, 'h3');
    await page.getByText('The state is now “Disabled” instead of “Active”.').waitFor();
    assert.equal((await read(user)).name, 'Ada theirs');
    const choices = await page.locator('fieldset.grid').allTextContents();
    assert.deepEqual(choices, ['NameYoursAda mineStored nowAda theirs', 'LevelYoursmineStored nowtheirs']);
    await checkView(page);
    // Another change, while the person chooses.
    await change(user, { name: 'Ada again' });
    await tabTo(page, 'input[name=choice-level]');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Save the selection' }).click();
    await page.getByText('Ada again').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Stored now theirs' }).isChecked());
    await page.getByRole('button', { name: 'Save the selection' }).click();
    await waitForStatus(page, 'was saved.');
    const { name, level, state } = await read(user);
    assert.deepEqual([name, level, state], ['Ada mine', 'theirs', 'disabled']);
    assert.equal(await field(page, 'Level').inputValue(), 'theirs');
  });

  test('the user profile shows values of another person in fields that were not edited', async (t) => {
    const user = await insert();
    const { page } = await visit(t, toPath(user));
    await field(page, 'Name').fill('Ada mine');
    await change(user, { level: 'theirs' });
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('button', { name: 'Back to the form' }).click();
    assert.equal(await field(page, 'Name').inputValue(), 'Ada mine');
    assert.equal(await field(page, 'Level').inputValue(), 'theirs');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await waitForStatus(page, 'was saved.');
    const { name, level } = await read(user);
    assert.deepEqual([name, level], ['Ada mine', 'theirs']);
  });

  test('the user profile keeps typed values while the service is unreachable, and during a new sign-in', async (t) => {
    const user = await insert();
    const visited = await visit(t, toPath(user));
    const { page } = visited;
    await field(page, 'Name').fill('Ada typed');
    await whileOffline(visited, async () => {
      await page.getByRole('button', { name: 'Save profile' }).click();
      await page.getByText('The profile was not saved. This device is offline.').waitFor();
    });
    const errorResponse = { status: 401, json: { error: 'Unauthorized', code: 'unauthorized' } };
    await page.route(`**/api/v1/users/${user.id}`, (route) => route.fulfill(errorResponse), { times: 1 });
    await page.getByRole('button', { name: 'Save profile' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await waitForAlert(page, 'The session had ended');
    assert.equal(await field(page, 'Name').inputValue(), 'Ada typed');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await waitForStatus(page, 'was saved.');
    assert.equal((await read(user)).name, 'Ada typed');
  });

  test('the page of a record, such as a user, has a heading and a way back when it could not be loaded or was erased meanwhile', async (t) => {
    const user = await insertTestUser(service.service.database);
    const { page } = await visit(t, '/console');
    await page.route('**/api/v1/users/*', (route) => route.abort('internetdisconnected'));
    await page.goto(toPath(user));
    await waitForAlert(page, 'The user could not be loaded');
    await page.getByRole('heading', { level: 1, name: 'User' }).waitFor();
    await page.getByRole('link', { name: 'Back to users' }).waitFor();
    await page.unroute('**/api/v1/users/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 2, name: 'Profile' }).waitFor();
    await page.getByRole('button', { name: 'Copy the id' }).waitFor();
    assert.equal((await service.api.delete(`/api/v1/users/${user.id}`, admin)).status, 204);
    await page.reload();
    await page.getByText('There is no user with the id of this address').waitFor();
    await checkView(page);
    await page.getByRole('link', { name: 'Go to the users' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.goto('/console/users/not-an-id');
    await page.getByRole('heading', { level: 1, name: 'User not found' }).waitFor();
  });
});

describe('the account of a user in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  const getState = async ({ id }: { id: string }) =>
    (await readData(service, `/api/v1/users/${id}`))?.state ?? 'erased';
  const getStatus = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;

  test('the account view disables after a confirmation, enables with Undo, and shows both as events', async (t) => {
    const user = await insertLoggedInUser(service.service.database);
    const { page } = await visit(t, toPath(user));
    await page.getByRole('button', { name: 'Disable…' }).press('Enter');
    await page.getByRole('dialog', { name: `Disable ${user.email}?` }).waitFor();
    await page.keyboard.press('Escape');
    await waitForFocusedText(page, 'Disable…');
    assert.equal(await getState(user), 'active');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Disable user' }).press('Enter');
    await waitForStatus(page, `${user.email} was disabled. All sessions have ended.`);
    assert.deepEqual([await getState(user), await getStatus(user.token)], ['disabled', 401]);
    await waitForFocus(page, 'h1');
    await page.getByText('The user has no valid token').waitFor();
    await page.getByRole('heading', { name: `${user.name} cannot sign in` }).waitFor();
    await page.getByText('The account is disabled.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await waitForStatus(page, `${user.email} was enabled. Tokens that were revoked stay revoked.`);
    await waitForFocusedText(page, 'Undo');
    assert.equal(await getState(user), 'active');
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByRole('button', { name: 'User enabled' }).waitFor();
    await events.getByRole('button', { name: 'User disabled' }).waitFor();
  });

  test('the account view shows failed sign-ins with their reasons, and leads to the events of the user', async (t) => {
    const person = await register(service);
    await logIn(service, { ...person, password: 'a wrong password' });
    const subject = `user:${person.id}`;
    const list = () => readData(service, `/api/v1/events?subject=${subject}`);
    await until(async () => (await list()).length === 2, 'the events are numbered');
    const { page } = await visit(t, toPath(person));
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByRole('button', { name: 'Sign-in failed: wrong password' }).press('Enter');
    await events.getByText('The password was wrong.').waitFor();
    await checkView(page);
    await page.getByRole('link', { name: 'All events of this user' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('subject') === subject);
    await page.locator('.summary').getByText('2 events', { exact: true }).waitFor();
  });

  test('a record, such as a user, is loaded again when somebody else has changed it before an action', async (t) => {
    const user = await insertTestUser(service.service.database, { state: 'disabled' });
    const { page } = await visit(t, toPath(user));
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await changeRecord(service, `/api/v1/users/${user.id}`, { level: 'theirs' });
    await page.getByRole('button', { name: 'Enable' }).click();
    await waitForAlert(page, 'The user was not enabled.');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=level]')?.value === 'theirs',
    );
    await page.getByRole('button', { name: 'Enable' }).click();
    await waitForStatus(page, 'was enabled.');
  });

  test('the account view sets a password that the rules allow, and sends the links that fit its state', async (t) => {
    const { name, email, password } = newUserData();
    const user = await createRecord(service, '/api/v1/users', { name, email });
    const { page } = await visit(t, toPath(user));
    await page.getByRole('button', { name: 'Send a link to set up the account' }).click();
    await waitForStatus(page, `A link will be sent to ${email}. It is valid for 7 days.`);
    assert.deepEqual(await waitingKinds(service, email), ['claim_account', 'claim_account']);
    await openMenu(page, 'More');
    await page.getByRole('button', { name: 'Set a password…' }).press('Enter');
    await page.getByLabel('New password').waitFor();
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByText('The password field must be at least 8 characters.').waitFor();
    await page.getByLabel('New password').fill(password);
    await page.keyboard.press('Enter');
    await waitForStatus(page, `The password of ${email} was set.`);
    assert.equal((await logIn(service, { email, password })).status, 200);
    await openMenu(page, 'Send a link');
    await page.getByRole('button', { name: 'Send a link to set a new password' }).waitFor();
    await page.getByRole('button', { name: 'Send a link to verify the email' }).click();
    await waitForStatus(page, `A link will be sent to ${email}.`);
    assert.equal((await waitingKinds(service, email)).at(-1), 'verify_email');
  });

  test('the account view revokes the selected tokens after it has listed them, and keeps the others', async (t) => {
    const { database } = service.service;
    const user = await insertLoggedInUser(database);
    const chosen = [await insertTestToken(database, user.id), await insertTestToken(database, user.id)];
    const { page } = await visit(t, toPath(user));
    const select = (token: string) => page.getByLabel(`Select Unknown device (${token.slice(0, 12)}…)`);
    for (const { token } of chosen) await select(token).check();
    await page.getByText('2 selected:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected:').waitFor({ state: 'detached' });
    await page.getByLabel('Select all tokens').check();
    await page.getByText('3 selected:').waitFor();
    await select(user.token).uncheck();
    await page.locator('.bulk').getByRole('button', { name: 'Revoke…' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke 2 tokens of ${user.email}?` });
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('list', { name: 'Tokens' }).getByRole('listitem').count(), 2);
    // Another administrator was faster with the first one.
    const path = `/api/v1/users/${user.id}/tokens`;
    const first = (await readData(service, path)).find(({ first_characters }: { first_characters: string }) =>
      chosen[0]!.token.startsWith(first_characters),
    );
    assert.equal((await service.api.delete(`${path}/${first.id}`, admin)).status, 204);
    await dialog.getByRole('button', { name: 'Revoke 2 tokens' }).click();
    await waitForStatus(page, `2 tokens of ${user.email} were revoked.`);
    await page.locator('.bulk').waitFor({ state: 'detached' });
    assert.deepEqual(await Promise.all(chosen.map(({ token }) => getStatus(token))), [401, 401]);
    assert.equal(await getStatus(user.token), 200);
  });

  test('the account view says how many of the selected tokens were revoked before a failure', async (t) => {
    const { database } = service.service;
    const user = await insertLoggedInUser(database);
    for (let count = 0; count < 2; count++) await insertTestToken(database, user.id);
    const { page } = await visit(t, toPath(user));
    const others = page.getByLabel(/^Select Unknown device/);
    for (const row of [0, 1]) await others.nth(row).check();
    await page.locator('.bulk').getByRole('button', { name: 'Revoke…' }).click();
    let requests = 0;
    await page.route('**/tokens/*', (route) =>
      requests++ === 0 ? route.continue() : route.abort('internetdisconnected'),
    );
    await page.getByRole('button', { name: 'Revoke 2 tokens' }).click();
    await page.getByRole('alert').getByText('Only 1 of 2 were revoked.').waitFor();
  });

  test('the account view erases after the email was typed, by keyboard, and the list reports it', async (t) => {
    const user = await insertTestUser(service.service.database, { name: 'Erased' });
    const { page } = await visit(t, '/console/users?search=erased');
    await page.getByRole('link', { name: 'Erased' }).click();
    await openMenu(page, 'More');
    await page.getByRole('button', { name: 'Erase user…' }).press('Enter');
    await page.getByLabel(`Type ${user.email} to confirm`).waitFor();
    await page.keyboard.type('someone@example.com');
    await page.keyboard.press('Enter');
    await waitForAlert(page, 'Nothing has been changed.');
    await page.getByLabel(`Type ${user.email} to confirm`).fill(user.email!);
    await page.keyboard.press('Enter');
    await waitForStatus(page, `${user.email} was erased.`);
    assert.equal(await getState(user), 'erased');
    const receipt = JSON.parse((await page.getByRole('group', { name: 'Receipt' }).textContent())!);
    assert.equal(receipt.user_id, user.id);
    assert.match(receipt.event_id, /^[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL('**/console/users?search=erased');
    assert.equal(new URL(page.url()).search, '?search=erased');
  });
});

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
    assert.deepEqual(await readData(service, `/api/v1/users/${id}/identities`), []);
  });

  test('a person who only reads users sees ways to sign in without buttons', async (t) => {
    const { id } = await registerWithTotp(service, Date.now());
    await link(id);
    const { page } = await visit(t, `/console/users/${id}`, { role: 'auditor' });
    await page.getByText('ada@example.edu').waitFor();
    assert.equal(await page.getByRole('button', { name: /^(?:Unlink|Remove)/ }).count(), 0);
  });
});
