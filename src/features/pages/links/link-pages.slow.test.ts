import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { axeViolations } from '../../../../test/support/browser/accessibility.ts';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { tabTo } from '../../../../test/support/browser/keyboard.ts';
import {
  checkAppearance,
  createLinkUrl,
  getUnknownUrl,
  MAX_PRESSES,
  NEW_PASSWORD,
  openLinkPage,
  STATE_OPTIONS,
  submitPassword,
  useUpAttempts,
} from '../../../../test/support/browser/link-pages.ts';
import { useService } from '../../../../test/support/service.ts';

describe('link pages in a browser', () => {
  const service = useService('sqlite', STATE_OPTIONS);

  test('link pages in German are accessible, fit windows of 320 and 1280 pixels, light and dark, and lead to a new link', async (context) => {
    const rejected = await openLinkPage(context, await createLinkUrl(service, 'reset_password'), 'de-AT');
    await submitPassword(rejected.page, 'kurz');
    assert.equal(await rejected.page.locator('h1').innerText(), 'Neues Passwort wählen');
    const error = await rejected.page.locator('#password-error').innerText();
    assert.equal(error, 'Das Passwort muss mindestens 15 Zeichen haben.');
    const { page, enableJavaScript } = await openLinkPage(
      context,
      await getUnknownUrl('reset_password')(service),
      'de',
    );
    assert.equal(await page.locator('h1').innerText(), 'Dieser Link ist nicht mehr gültig');
    await enableJavaScript();
    await checkAppearance(page, 'de');
    await tabTo(page, 'a.button', MAX_PRESSES);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(await page.locator('h1').innerText(), 'Neues Passwort anfordern');
  });

  test('a link page shows the password on request, where there is JavaScript', async (context) => {
    const url = await createLinkUrl(service, 'reset_password');
    const { page } = await openLinkPage(context, url);
    assert.equal(await page.locator('.reveal').isVisible(), false);
    const session = await (await openBrowser()).newContext({ locale: 'en-GB' });
    context.after(() => session.close());
    const scripted = await session.newPage();
    await scripted.goto(url);
    const field = scripted.getByRole('textbox', { name: 'New password' });
    await field.fill(NEW_PASSWORD);
    const choice = scripted.getByRole('button', { name: 'Show password' });
    await choice.press('Space');
    assert.equal(await field.getAttribute('type'), 'text');
    await choice.press('Space');
    assert.equal(await field.getAttribute('type'), 'password');
    await choice.press('Space');
    assert.deepEqual(await axeViolations(scripted), []);
    await Promise.all([scripted.waitForNavigation(), field.press('Enter')]);
    assert.equal(await scripted.locator('h1').innerText(), 'Your password is set');
  });

  test('a link page offers the form again after too many attempts', async (context) => {
    const { page } = await openLinkPage(context, await createLinkUrl(service, 'reset_password'));
    await useUpAttempts(page);
    await tabTo(page, 'a', MAX_PRESSES);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(await page.locator('h1').innerText(), 'Choose a new password');
  });
});
