import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/console.ts';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { tabTo } from '../../../test/support/keyboard.ts';
import { useService } from '../../../test/support/service.ts';

describeOnEachEngine('the form check of the console', (engine) => {
  const service = useService(engine);
  const visit = useConsole(service);

  test('shows each error at its member, by keyboard, until the definitions are valid', async (t) => {
    const { page } = await visit(t, '/console/form-check');
    await tabTo(page, 'input[type=text]');
    await page.keyboard.type('ab');
    await page.keyboard.press('Enter');
    await page.getByText('1 error, shown at the fields.').waitFor();
    const label = page.getByLabel('Label');
    assert.equal(await label.getAttribute('aria-invalid'), 'true');
    const description = await label.evaluate((input) => {
      const id = input.getAttribute('aria-describedby')!;
      return document.getElementById(id)!.textContent;
    });
    assert.equal(description, 'Label must be between 3 and 50 characters');
    await checkView(page);
    await label.focus();
    await page.keyboard.type('cd');
    await page.keyboard.press('Enter');
    await page.getByText('Valid: 1 field.').waitFor();
    assert.equal(await label.getAttribute('aria-invalid'), null);
  });

  test('adds and removes fields, shows the request as curl, and keeps the definitions in the URL', async (t) => {
    const { page } = await visit(t, '/console/form-check');
    await page.getByLabel('Label').fill("it's");
    await page.getByRole('button', { name: 'Add a field' }).click();
    const second = page.getByRole('group', { name: 'Field 2' });
    await second.getByLabel('Label').fill('age');
    await second.getByLabel('Type').selectOption('number');
    await second.getByLabel('Required').check();
    const curl = await page.locator('pre').innerText();
    assert.match(curl, /^curl 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/form-fields\/validate' \\\n/);
    assert.ok(curl.includes(`"label": "it'\\''s"`));
    assert.ok(curl.includes('"type": "number"'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 error, shown at the fields.').waitFor();
    await page.reload();
    assert.equal(await second.getByLabel('Type').inputValue(), 'number');
    await page.getByRole('button', { name: 'Remove Field 1' }).click();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid: 1 field.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0);
  });

  test('says that the definitions could not be checked while there is no connection, and keeps them', async (t) => {
    const { page, context } = await visit(t, '/console/form-check');
    await page.getByLabel('Label').fill('first_name');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').filter({ hasText: 'This device is offline' }).waitFor();
    assert.equal(await page.getByLabel('Label').inputValue(), 'first_name');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid: 1 field.').waitFor();
  });
});
