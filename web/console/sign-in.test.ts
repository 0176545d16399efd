import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkView, useConsole } from '../../test/support/console.ts';
import { describeOnEachEngine } from '../../test/support/engines.ts';
import { useService } from '../../test/support/service.ts';

describeOnEachEngine('the menu of the console', (engine) => {
  const service = useService(engine);
  const visit = useConsole(service);

  test('leads to each view, names the window after it and moves the focus to its heading', async (t) => {
    const { page } = await visit(t, '/console');
    for (const name of ['Users', 'Form check', 'Settings', 'Overview']) {
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(await page.title(), `${name} · Frontdesk`);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), name);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('has no accessibility violation and fits 320 pixels', async (t) => {
    const { page } = await visit(t, '/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkView(page);
  });
});
