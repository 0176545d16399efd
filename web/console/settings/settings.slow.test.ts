import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { PIXEL } from '../../../test/support/browser/records.ts';
import { useService } from '../../../test/support/service.ts';

const findRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }).first() });
const PEPPER = 'a pepper that nobody may read';

describe('the settings in the console', () => {
  const environment = { PASSWORD_PEPPER: PEPPER, RATE_LIMITS: 'on', RATE_LIMIT_USER: '7/900' };
  const service = useService('sqlite', { environment });
  const visit = useConsole(service);

  test('console settings are shown with their source, secrets only as set, fixed ones without a button, beside the checks', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const row = (name: string) => findRow(page, name);
    await row('PASSWORD_PEPPER').getByText('set, secret').waitFor();
    assert.match(await row('PORT').innerText(), /0\s+Default: 3000.\s+environment/);
    assert.match(await row('LOG_LEVEL').innerText(), /^Level of the log LOG_LEVEL[\s\S]*\sinfo\s/);
    assert.match(
      await row('RATE_LIMIT_USER').innerText(),
      /7 in 15 minutes\s+7\/900\s+Default: 600\/60\.\s+fixed by environment/,
    );
    assert.equal(await row('RATE_LIMIT_USER').getByRole('button').count(), 0);
    await page.getByText(/other checks found nothing wrong/).click();
    await page.getByText('OK', { exact: true }).first().waitFor();
    assert.ok(!(await page.content()).includes(PEPPER));
    await page.getByRole('link', { name: 'Details of Requests of a user' }).click();
    await page.getByRole('heading', { name: 'Rate limits', exact: true }).waitFor();
  });

  test('console settings can be checked again, and report when that is not possible', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const again = page.getByRole('button', { name: 'Check again' });
    await again.waitFor();
    await page.route('**/api/v1/admin/checks', (route) => route.abort('connectionfailed'));
    await again.click();
    await page.getByRole('alert').filter({ hasText: 'The findings could not be loaded' }).waitFor();
    assert.equal(await again.count(), 1, 'the findings of the last time stay');
    await page.unroute('**/api/v1/admin/checks');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('console settings are changed in place, with errors at the field, and set back by undo', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('button', { name: 'Change Name of the service' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'New value of Name of the service' });
    await field.fill('x'.repeat(61));
    await field.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'at most 60 characters' }).waitFor();
    assert.ok(await field.evaluate((input) => input === document.activeElement));
    await field.fill('Hopper Labs');
    await field.press('Enter');
    const status = page.getByRole('status').filter({ hasText: 'changed from Frontdesk to Hopper Labs' });
    await status.waitFor();
    await page.locator('.side .brand', { hasText: 'Hopper Labs' }).waitFor();
    assert.equal(await page.title(), 'Settings · Hopper Labs');
    await checkView(page);
    await page.getByRole('button', { name: 'Change Logo' }).click();
    await page.getByLabel('Image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.side .brand img').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.side .brand svg').waitFor();
  });

  test('console settings have a switch, a choice or numbers with bounds and unit, where a value has such a form', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const row = (name: string) => findRow(page, name);
    const change = (name: string) =>
      page.getByRole('button', { name: `Change ${name}`, exact: true }).click();
    const save = () => page.getByRole('button', { name: 'Save' }).click();

    await change('Verified email required');
    await page.getByRole('switch', { name: 'Verified email required: off' }).check();
    await page.getByRole('switch', { name: 'Verified email required: on' }).waitFor();
    await checkView(page);
    await save();
    await row('REQUIRE_VERIFIED_EMAIL').getByText('changed', { exact: true }).waitFor();
    assert.match(await row('REQUIRE_VERIFIED_EMAIL').innerText(), /on\s+true\s+Change\s+Default: false/);

    await change('Creation of user records');
    await page
      .getByLabel('New value of Creation of user records')
      .selectOption({ label: 'Only administrators' });
    await save();
    await row('USERS_CREATE').getByText('Only administrators').waitFor();

    await change('Time until events are deleted');
    const days = page.getByRole('spinbutton', { name: 'Number of Time until events are deleted' });
    assert.deepEqual(
      await days.evaluate((input: HTMLInputElement) => [input.type, input.inputMode, input.min, input.max]),
      ['number', 'numeric', '1', '3650'],
    );
    await page.getByText('Default: 180. From 1 to 3,650.').waitFor();
    await days.fill('4000');
    await save();
    await page.getByRole('alert').filter({ hasText: 'whole number from 1 to 3650' }).waitFor();
    await checkView(page);
    await days.fill('90');
    await save();
    await row('EVENTS_DAYS').getByText('90 days', { exact: true }).waitFor();
    assert.match(await row('EVENTS_DAYS').innerText(), /90 days\s+Change\s+Default: 180/);

    await change('Sign-ins');
    await page.getByLabel('Requests of Sign-ins').fill('7');
    await page.getByLabel('Seconds of Sign-ins').fill('900');
    await save();
    await row('RATE_LIMIT_LOGIN').getByText('7 in 15 minutes').waitFor();
    await change('Sign-ins');
    await page.getByRole('checkbox', { name: 'No limit' }).check();
    assert.ok(await page.getByLabel('Seconds of Sign-ins').isDisabled());
    await save();
    await row('RATE_LIMIT_LOGIN').getByText('no limit').waitFor();
  });

  test('console settings are filtered by words of their titles, names and meanings, and shown again', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const settings = page.locator('.settings tbody tr');
    const filter = page.getByLabel('Filter settings');
    await filter.fill('verified email');
    await page.getByText('REQUIRE_VERIFIED_EMAIL', { exact: true }).waitFor();
    assert.equal(await settings.count(), 1);
    await filter.fill('nothing like this');
    await page.getByText('No title, name or meaning of a setting contains').waitFor();
    await page.getByRole('button', { name: 'Show all settings' }).click();
    assert.ok((await settings.count()) > 50);
    await filter.fill('logo');
    await page.keyboard.press('Escape');
    assert.ok((await settings.count()) > 50);
  });

  test('the settings offer to try again when the code of their page could not be loaded', async (t) => {
    const { page } = await visit(t, '/console/users');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.route('**/*.js', (route) => route.abort('connectionfailed'));
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('alert').filter({ hasText: 'The page could not be loaded' }).waitFor();
    await page.unroute('**/*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('console settings have no buttons for a person who only reads them', async (t) => {
    const { page } = await visit(t, '/console/settings', { role: 'auditor' });
    await findRow(page, 'EVENTS_DAYS').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Change / }).count(), 0);
  });
});
