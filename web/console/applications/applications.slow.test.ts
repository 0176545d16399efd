import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApplication } from '../../../test/support/applications.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { readData } from '../../../test/support/browser/records.ts';
import { waitForEmptyList, waitForStatus } from '../../../test/support/browser/steps.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';

const LIST = '/console/applications';

describe('applications in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const create = (name: string) => createApplication(service, { name });
  const read = (id: string) => readData(service, `/api/v1/applications/${id}`);

  test('the applications page creates an application by keyboard, explains a wrong URI at its line, and shows the secret once', async (t) => {
    const { page } = await visit(t, LIST);
    await waitForEmptyList(page, 'No applications yet');
    await checkView(page);
    await tabTo(page, 'main .empty button.primary');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create application' });
    await dialog.getByLabel('Name').fill('Orders');
    await dialog.getByLabel('Redirect URIs, 1').fill('https://orders.example.com/callback');
    await dialog.getByRole('button', { name: 'Add URI' }).press('Enter');
    await waitForFocus(page, '[aria-label="Redirect URIs, 2"]');
    await page.keyboard.type('https://*.example.com/callback');
    await page.keyboard.press('Enter');
    await dialog.getByText('Replace * by the whole name').waitFor();
    await waitForFocus(page, '[aria-label="Redirect URIs, 2"]');
    assert.equal(await dialog.getByRole('alert').count(), 1);
    await checkView(page);
    await dialog.getByRole('button', { name: 'Remove https://*.example.com/callback' }).press('Enter');
    await dialog.getByRole('button', { name: 'Create application' }).click();
    const shown = page.getByRole('dialog', { name: 'The secret of Orders' });
    await shown.getByText('shown only now').waitFor();
    const secret = (await shown.getByRole('group', { name: 'Client secret' }).innerText()).trim();
    await checkView(page);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await waitForStatus(page, 'The application Orders was created.');
    assert.equal(await page.getByText(secret).count(), 0);
    await page.getByRole('link', { name: 'Back to applications' }).click();
    await page.getByRole('row').filter({ hasText: 'https://orders.example.com/callback' }).waitFor();
  });

  test('the applications page creates a public application without a secret', async (t) => {
    const { page } = await visit(t, LIST);
    await page.getByRole('button', { name: 'Create application' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create application' });
    await dialog.getByLabel('Name').fill('Field notes');
    await dialog.getByRole('radio', { name: 'Browser, mobile or desktop' }).check();
    await dialog.getByLabel('Redirect URIs, 1').fill('com.example.notes:/callback');
    await dialog.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('It has no secret').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Field notes' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Client secret' }).count(), 0);
    assert.equal(await page.getByText('FRONTDESK_SECRET').count(), 0);
  });

  test('the page of an application shows what a program needs, with the values of the application', async (t) => {
    const { id } = await create('Wiki');
    const { page } = await visit(t, `${LIST}/${id}`);
    const facts = page.getByRole('region', { name: 'For your program' });
    await facts.getByText(id).waitFor();
    await facts.getByText(service.service.url, { exact: true }).waitFor();
    await facts.getByText(`${service.service.url}/oauth/token`).waitFor();
    await facts.getByRole('button', { name: 'Copy the client id' }).click();
    await waitForStatus(page, /Copied|Selected/);
    const snippet = page.getByRole('region', { name: 'Use it in your program' });
    await snippet.getByText(`clientId: '${id}'`).waitFor();
    await snippet.getByLabel('With').selectOption('openid-client');
    await snippet.getByText('https://app.example.com/callback').waitFor();
    await checkView(page);
  });

  test('the page of an application saves its settings, keeps what was typed on an error, and discards changes', async (t) => {
    const { id } = await create('Shop');
    const { page } = await visit(t, `${LIST}/${id}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Add URI' }).last().click();
    await settings.getByLabel('URIs after signing out, 1').fill('http://shop.example.com/');
    await settings.getByLabel('Days until its tokens expire').fill('7');
    await settings.getByRole('checkbox', { name: 'self:write' }).check();
    await settings.getByRole('button', { name: 'Save application' }).click();
    await settings.getByText('Plain http works for localhost').waitFor();
    await waitForFocus(page, '[aria-label="URIs after signing out, 1"]');
    await settings.getByLabel('URIs after signing out, 1').fill('https://shop.example.com/');
    await settings.getByRole('button', { name: 'Save application' }).click();
    await waitForStatus(page, 'The application Shop was saved.');
    const { post_logout_redirect_uris, token_lifetime_days, scopes } = await read(id);
    assert.deepEqual(
      [post_logout_redirect_uris, token_lifetime_days, scopes],
      [['https://shop.example.com/'], 7, ['self:read', 'self:write']],
    );
    await settings.getByLabel('Audiences of its JSON Web Tokens').fill('orders, search');
    await settings.getByRole('button', { name: 'Save application' }).click();
    await settings.getByText('must contain names of JWT_AUDIENCES only').waitFor();
    await settings.getByLabel('Audiences of its JSON Web Tokens').fill(' , ');
    for (const name of ['self:read', 'self:write']) await settings.getByRole('checkbox', { name }).uncheck();
    await settings.getByRole('button', { name: 'Save application' }).click();
    await settings.getByText('must contain names of JWT_AUDIENCES only').waitFor({ state: 'detached' });
    await settings.getByRole('button', { name: 'Save application', disabled: false }).waitFor();
    const saved = await read(id);
    assert.deepEqual([saved.jwt_audiences, saved.scopes], [[], []]);
    await settings.getByLabel('Name').fill('Other');
    await settings.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await settings.getByLabel('Name').inputValue(), 'Shop');
  });

  test('the page of an application saves again before it has loaded what it saved, but not over the change of another person', async (t) => {
    const { id } = await create('Quick');
    const { page } = await visit(t, `${LIST}/${id}`);
    const path = `/api/v1/applications/${id}`;
    const save = async (name: string) => {
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Save application', disabled: false }).click();
    };
    await page.getByRole('button', { name: 'Save application' }).waitFor();
    // No load ends: the page knows no later version but that of its own change.
    await page.route(`**${path}`, (route) => route.request().method() !== 'GET' && route.continue());
    await save('Quicker');
    await waitForStatus(page, 'The application Quicker was saved.');
    await save('Quickest');
    await waitForStatus(page, 'The application Quickest was saved.');
    const headers = { 'If-Match': '*' };
    await service.api.patch(path, { name: 'Theirs' }, { token: ADMIN_TOKEN, headers });
    await save('Too quick');
    await page.getByText('The application was not saved').waitFor();
    assert.equal((await read(id)).name, 'Theirs');
  });

  test('the page of an application rotates the secret with an overlap, and shows the new one once', async (t) => {
    const { id, client_secret } = await create('Rotated');
    const { page } = await visit(t, `${LIST}/${id}`);
    await page.getByRole('button', { name: 'Rotate secret…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the secret of Rotated?' });
    await dialog.getByLabel('The present secret stays valid for').selectOption('7 days');
    await dialog.getByText('if you have not received it, rotate again').waitFor();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const shown = page.getByRole('group', { name: 'Client secret' });
    await shown.waitFor();
    const secret = (await shown.innerText()).trim();
    assert.notEqual(secret, client_secret);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Earlier secret valid until').waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await page.getByRole('link', { name: 'Back to applications' }).click();
    await page.getByRole('row').filter({ hasText: 'Rotated' }).getByText('Two secrets').waitFor();
  });

  test('the page of an application shows why its requests were rejected, and lets PKCE be required, devices sign in and programs stay signed in', async (t) => {
    const { id } = await create('Rejected');
    const query = new URLSearchParams({
      ...{ client_id: id, redirect_uri: 'https://app.example.com/callback', response_type: 'code' },
    });
    await service.api.get(`/oauth/authorize?${query}`);
    await numberAllEvents(service.service.database);
    const { page } = await visit(t, `${LIST}/${id}`);
    const rejections = page.locator('#rejections').locator('xpath=ancestor::section');
    await rejections.getByText('PKCE is required: send code_challenge').waitFor();
    await rejections.getByText('https://app.example.com/callback').waitFor();
    await checkView(page);
    await page.getByLabel('Reject sign-ins without PKCE').check();
    await page.getByLabel('Let programs without a browser sign in').check();
    await page.getByRole('button', { name: 'Save application' }).click();
    await waitForStatus(page, 'The application Rejected was saved.');
    const { require_pkce, device } = await read(id);
    assert.deepEqual([require_pkce, device], [true, true]);
  });

  test('the page of an application deletes it after a dialog that says what ends', async (t) => {
    const { id } = await create('Deleted');
    const { page } = await visit(t, `${LIST}/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Deleted?' });
    await dialog.getByText('its tokens').waitFor();
    await waitForFocus(page, 'dialog .secondary');
    await checkView(page);
    await dialog.getByRole('button', { name: 'Delete application' }).click();
    await waitForStatus(page, 'The application Deleted was deleted.');
    assert.equal(await read(id), undefined);
  });

  test('a person who only reads applications sees their settings without buttons', async (t) => {
    const { id } = await create('Read');
    const { page } = await visit(t, `${LIST}/${id}`, { role: 'auditor' });
    await page.getByText('URIs after signing out').waitFor();
    for (const name of ['Save application', 'Rotate secret…', 'Delete…'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await page.goto(LIST);
    await page.getByRole('row').filter({ hasText: 'Read' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create application' }).count(), 0);
  });
});
