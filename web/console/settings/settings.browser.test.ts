import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { useService } from '../../../test/support/service.ts';

const PEPPER = 'a pepper that nobody may read';

describe('the settings in the console', () => {
  const environment = { PASSWORD_PEPPER: PEPPER, RATE_LIMITS: 'on', RATE_LIMIT_USER: '7/900' };
  const service = useService('sqlite', { environment });
  const visit = useConsole(service);

  test('console settings are shown with their source, secrets only as set, beside the limits and the checks', async (t) => {
    const { page } = await visit(t, '/console/settings');
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await row('PASSWORD_PEPPER').getByText('set, secret').waitFor();
    assert.match(await row('PORT').innerText(), /0\s+environment/);
    assert.match(await row('LOG_LEVEL').innerText(), /info\s+default/);
    assert.match(await row('user').innerText(), /7 in 15 minutes/);
    await page.getByText('ok').first().waitFor();
    assert.ok(!(await page.content()).includes(PEPPER));
    await checkView(page);
    await page.getByRole('link', { name: 'What each limit counts' }).click();
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
});
