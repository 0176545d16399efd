import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkAccessibility, checkView, useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { changeRecord, PIXEL } from '../../../test/support/browser/records.ts';
import { useService } from '../../../test/support/service.ts';

describe('the brand in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const readPage = async (language: string) =>
    (await fetch(`${service.service.url}/sign-in?lang=${language}`)).text();

  test('name, logo, colour and texts of two languages are previewed, saved and set back in ten interactions', async (t) => {
    const { page } = await visit(t, '/console');
    const hands = createHands(page);
    const preview = page.frameLocator('iframe[title=Preview]');
    const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
    await hands.follow('Brand');
    await hands.fill('Name', 'Hopper Labs');
    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await hands.fill(/^Colour$/, '#ffd400');
    await page.getByText('Black text on buttons: 14.6 : 1.').waitFor();
    await preview.getByText('With your Hopper Labs account.').waitFor();
    await preview.locator('img.logo[src^="data:image/png"]').waitFor();
    await page.waitForFunction(() => {
      const button = frames[0]!.document.querySelector('button.primary');
      const { backgroundColor, color } = getComputedStyle(button!);
      return backgroundColor === 'rgb(255, 212, 0)' && color === 'rgb(0, 0, 0)';
    });
    await field('Sign in: title').fill('Come in');
    await preview.getByRole('heading', { name: 'Come in', includeHidden: true }).waitFor();
    await hands.choose('Language', 'de');
    await field('Sign in: title').fill('Herein');
    await preview.getByRole('heading', { name: 'Herein', includeHidden: true }).waitFor();
    assert.doesNotMatch(await readPage('en'), /Hopper Labs|Come in/, 'nothing is stored yet');
    await hands.press('Save');
    await page.getByText('The brand was saved.').waitFor();
    // With the choice of the file and the two texts.
    hands.check(6);
    for (const [language, title] of [
      ['en', 'Come in'],
      ['de', 'Herein'],
    ] as const) {
      const html = await readPage(language);
      assert.match(html, new RegExp(`<h1>${title}</h1>`));
      assert.match(html, /brand\.css\?color=ffd400/);
      assert.match(html, /<img class="logo".*Hopper Labs/);
    }
    await page.locator('.side').getByText('Hopper Labs').waitFor();
    await checkView(page);
    await hands.press('Undo');
    await page.getByText('The brand is as before.').waitFor();
    hands.check(1);
    assert.doesNotMatch(await readPage('de'), /Hopper Labs|Herein|brand\.css/);
    await page.getByText('Without one: Frontdesk').waitFor();
  });

  test('a text is found by its words, shown on its page, and reset', async (t) => {
    const { page } = await visit(t, '/console/brand');
    const preview = page.frameLocator('iframe[title=Preview]');
    await page.getByLabel('Search texts').fill('choose a new password');
    const action = page.getByRole('textbox', { name: 'Reset password: action' });
    await action.fill('Pick another\npassword');
    assert.equal(await action.inputValue(), 'Pick another password');
    await preview.getByText('Pick another password').waitFor();
    const background = () =>
      preview.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    assert.equal(await background(), 'rgb(246, 247, 249)');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.waitForFunction(
      () => getComputedStyle(frames[0]!.document.body).backgroundColor === 'rgb(13, 15, 19)',
    );
    await page.getByRole('button', { name: 'Phone' }).click();
    assert.equal(await page.locator('iframe').evaluate((frame) => frame.clientWidth), 390);
    await page.getByRole('button', { name: 'Changed: 1' }).click();
    await page.getByText('Changed from “Choose a new password”.').waitFor();
    await page.getByRole('button', { name: 'Reset Reset password: action' }).click();
    await page.getByText('No text is found.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  });

  test('a wrong text is rejected at its field, and nothing in the preview can be pressed', async (t) => {
    const { page } = await visit(t, '/console/brand');
    const title = page.getByRole('textbox', { name: 'Sign in: title', exact: true });
    await title.fill('Hello {name}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The text has the unknown placeholder {name}; it can have none.').waitFor();
    await title.fill('<script>alert(1)</script>');
    await page.frameLocator('iframe').getByText('<script>alert(1)</script>').waitFor();
    assert.equal(await page.evaluate(() => frames[0]!.document.body.inert), true);
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await title.inputValue(), 'Sign in');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('the page to sign in is accessible with colours close to white, black and grey in both schemes', async (t) => {
    const { page } = await visit(t, '/sign-in', { isSignedIn: false });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const BRAND_COLOR of ['#ffd400', '#0a1a3f', '#fefefe', '#777777', null]) {
      assert.equal((await changeRecord(service, '/api/v1/admin/settings', { BRAND_COLOR })).status, 200);
      await page.reload();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await checkAccessibility(page);
      }
    }
  });

  test('an auditor sees the brand and cannot save it', async (t) => {
    const { page } = await visit(t, '/console/brand', { role: 'auditor' });
    await page.getByLabel('Name', { exact: true }).fill('Other');
    await page.frameLocator('iframe').getByText('With your Other account.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  });
});
