import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { useService } from '../../../test/support/service.ts';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const PEPPER = 'a pepper that nobody may read';

describe('the settings in the console', () => {
  const environment = { PASSWORD_PEPPER: PEPPER, RATE_LIMITS: 'on', RATE_LIMIT_USER: '7/900' };
  const service = useService('sqlite', { environment });
  const visit = useConsole(service);

  test('console settings are shown with their source, secrets only as set, beside the checks', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await row('PASSWORD_PEPPER').getByText('set, secret').waitFor();
    assert.match(await row('PORT').innerText(), /0\s+environment/);
    assert.match(await row('LOG_LEVEL').innerText(), /info\s+default/);
    assert.match(await row('RATE_LIMIT_USER').innerText(), /7\/900\s+fixed by environment/);
    assert.equal(await row('RATE_LIMIT_USER').getByRole('button').count(), 0);
    await page.getByText('ok').first().waitFor();
    assert.ok(!(await page.content()).includes(PEPPER));
    await checkView(page);
    await page.getByRole('link', { name: 'Details of RATE_LIMIT_USER' }).click();
    await page.getByRole('heading', { name: 'Rate limits', exact: true }).waitFor();
  });

  test('console settings can be checked again, and report when that is not possible', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const again = page.getByRole('button', { name: 'Check again' });
    await again.waitFor();
    await page.route('**/api/v1/admin/checks', (route) => route.abort('connectionfailed'));
    await again.click();
    await page.getByRole('alert').filter({ hasText: 'The checks could not be run' }).waitFor();
    assert.equal(await again.count(), 1, 'the findings of the last time stay');
    await page.unroute('**/api/v1/admin/checks');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('console settings are changed in place, with errors at the field, and set back by undo', async (t) => {
    const { page } = await visit(t, '/console/settings');
    await page.getByRole('button', { name: 'Change INSTANCE_NAME' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'Value of INSTANCE_NAME' });
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
    await page.getByRole('button', { name: 'Change INSTANCE_LOGO' }).click();
    await page.getByLabel('Image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.side .brand img').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.side .brand svg').waitFor();
  });
});
