import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole, whileOffline } from '../../../test/support/browser/console.ts';
import { tabTo } from '../../../test/support/browser/keyboard.ts';
import { waitForAlert } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';

const CHECKS = '**/api/v1/form-fields/validate';

describe('the form check of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the form check shows each error at its member, by keyboard, until the definitions are valid, and again after a change', async (t) => {
    const { page } = await visit(t, '/console/forms?view=check');
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
    await label.fill('ab');
    await page.getByText('Valid: 1 field.').waitFor({ state: 'detached' });
  });

  test('the form check adds and removes fields, shows the request as curl, and keeps the definitions in the URL', async (t) => {
    const { page } = await visit(t, '/console/forms?view=check');
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

  test('the form check shows a result at the fields that were sent, also when one is removed during the check', async (t) => {
    const { page } = await visit(t, '/console/forms?view=check');
    const fields = page.getByRole('group', { name: /^Field/ });
    for (const [index, label] of ['first', 'ab', 'third'].entries()) {
      if (index > 0) await page.getByRole('button', { name: 'Add a field' }).click();
      await fields.nth(index).getByLabel('Label').fill(label);
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(CHECKS, async (route) => {
      await released;
      await route.continue();
    });
    await Promise.all([
      page.waitForRequest(CHECKS),
      page.getByRole('button', { name: 'Check', exact: true }).click(),
    ]);
    await page.getByRole('button', { name: 'Remove Field 1' }).click();
    release();
    await page.getByText('1 error, shown at the fields.').waitFor();
    const isInvalid = (index: number) => fields.nth(index).getByLabel('Label').getAttribute('aria-invalid');
    assert.deepEqual([await isInvalid(0), await isInvalid(1)], ['true', null]);
    await page.getByRole('button', { name: 'Remove Field 1' }).click();
    await fields.nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.result').innerText(), '');
    assert.equal(await isInvalid(0), null);
  });

  test('the form check shows the result of the latest check, also when an earlier one responds later', async (t) => {
    const { page } = await visit(t, '/console/forms?view=check');
    const label = page.getByLabel('Label');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
    await page.route(
      CHECKS,
      async (route) => {
        const response = await route.fetch();
        await released;
        // The page may have cancelled the request.
        await route.fulfill({ response }).catch(() => {});
        respond();
      },
      { times: 1 },
    );
    await label.fill('ab');
    await Promise.all([page.waitForRequest(CHECKS), label.press('Enter')]);
    await label.fill('abc');
    await label.press('Enter');
    await page.getByText('Valid: 1 field.').waitFor();
    release();
    await responded;
    // Another request of the page is processed after the response before it.
    await page.evaluate(() => fetch('/livez').then((response) => response.text()));
    assert.equal(await page.locator('.result').innerText(), 'Valid: 1 field.');
    assert.equal(await label.getAttribute('aria-invalid'), null);
  });

  test('the form check reports that it could not run without a connection, and keeps the definitions', async (t) => {
    const visited = await visit(t, '/console/forms?view=check');
    const { page } = visited;
    await page.getByLabel('Label').fill('first_name');
    await whileOffline(visited, async () => {
      await page.getByRole('button', { name: 'Check' }).click();
      await waitForAlert(page, 'This device is offline');
      assert.equal(await page.getByLabel('Label').inputValue(), 'first_name');
    });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Valid: 1 field.').waitFor();
  });
});
