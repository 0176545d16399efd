import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { tabTo, waitForFocus } from '../../../../test/support/browser/keyboard.ts';
import { checkAppearance, openLinkPage } from '../../../../test/support/browser/link-pages.ts';
import { listSubmissions, publishPage } from '../../../../test/support/form-pages.ts';
import { NAME_FIELD } from '../../../../test/support/forms.ts';
import { useService } from '../../../../test/support/service.ts';

const STORED = '?held=include';

describe('pages of forms in a browser', () => {
  const service = useService('sqlite');

  const send = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

  test('a form is filled in by keyboard without JavaScript, its errors take the focus and lead to their fields, and its page with errors is accessible at 320 and 1280 pixels, light and dark', async (context) => {
    const form = await publishPage(service);
    const opened = await openLinkPage(context, service.api.url + form.page);
    const { page, errors } = opened;
    await tabTo(page, 'input');
    await page.keyboard.type('Ada <b>');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@');
    await tabTo(page, 'button');
    await send(page);
    await waitForFocus(page, '.notice');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForFocus(page, 'input');
    const focused = page.locator('input:focus');
    assert.deepEqual([await focused.getAttribute('name'), await focused.inputValue()], ['email', 'ada@']);
    assert.match(await focused.ariaSnapshot(), /email/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await tabTo(page, '[type=radio]');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'select');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, '[type=checkbox][name=consent]');
    await page.keyboard.press('Space');
    await tabTo(page, 'button');
    await send(page);
    assert.equal(await page.locator('h1').innerText(), 'Thank you');
    const [{ answers }] = await listSubmissions(service, form.api, STORED);
    assert.deepEqual(answers, {
      ...{ full_name: 'Ada <b>', email: 'ada@example.com', people: 3, session: 'Late', city: 'A' },
      consent: true,
    });

    await opened.enableJavaScript();
    await page.goto(service.api.url + form.page);
    await tabTo(page, 'button');
    await send(page);
    await waitForFocus(page, '.notice');
    await checkAppearance(page);
    assert.deepEqual(errors, []);
  });

  test('a double click, a reload, and Back followed by Send store one submission', async (context) => {
    const form = await publishPage(service, { fields: [NAME_FIELD] });
    const session = await (await openBrowser()).newContext();
    context.after(() => session.close());
    const page = await session.newPage();
    await page.goto(service.api.url + form.page);
    const button = page.getByRole('button');
    await button.click();
    assert.equal(await page.locator('.notice h2').innerText(), '1 answer is missing or wrong');
    await page.reload();
    await page.getByRole('textbox').fill('Ada');
    await button.dblclick();
    await page.waitForURL('**/thanks*');
    await page.reload();
    await page.goBack();
    assert.equal(await page.getByRole('textbox').inputValue(), 'Ada');
    await button.click();
    await page.waitForURL('**/thanks');
    await page.goBack();
    await page.getByRole('textbox').fill('Grace');
    await button.click();
    await page.waitForURL('**/thanks?again=1');
    assert.equal(await page.locator('h1').innerText(), 'Your answers were sent before');
    assert.equal((await listSubmissions(service, form.api, STORED)).length, 1);
    // The page that offers another form.
    await page.getByRole('link', { name: 'Fill in the form again' }).click();
    assert.equal(await page.getByRole('textbox').inputValue(), '');
    await page.getByRole('textbox').fill('Bob');
    await button.click();
    await page.waitForURL('**/thanks');
    // From the first page of this form, which the browser may have kept.
    await page.goBack();
    await button.click();
    await page.waitForURL('**/thanks');
    assert.equal((await listSubmissions(service, form.api, STORED)).length, 2);
  });
});
