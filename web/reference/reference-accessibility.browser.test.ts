import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkView } from '../../test/support/browser/console.ts';
import { waitForFocus } from '../../test/support/browser/keyboard.ts';
import { visitReference } from '../../test/support/browser/reference-page.ts';
import { chooseSender, openForm, send, sendButton } from '../../test/support/browser/try-out.ts';

test('the reference scrolls to the operation of a deep link on load and moves the focus there', async (t) => {
  const { page } = await visitReference(t, { path: '/docs#readUser' });
  await waitForFocus(page, '#readUser');
  const top = await page.locator('#readUser').evaluate((section) => section.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `the operation starts ${top} px below the top of the window`);
});

test('the reference moves the focus to an operation when its navigation link is followed', async (t) => {
  const { page } = await visitReference(t);
  await page.locator('nav a[href="#validateForm"]').press('Enter');
  await waitForFocus(page, '#validateForm');
});

test('the reference has headings without a skipped level and a name for every landmark', async (t) => {
  const { page } = await visitReference(t);
  const levels = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `a heading of level ${level} follows one of level ${before}`);
    return level;
  }, 0);
  for (const name of ['Pages', 'Operations']) {
    assert.equal(await page.getByRole('navigation', { name, exact: true }).count(), 1);
  }
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
});

test('the reference fits a window 320 pixels wide without horizontal scrolling, with the menu closed', async (t) => {
  const { page } = await visitReference(t, { viewport: { width: 320, height: 640 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.equal(await page.locator('nav a[href="#register"]').isVisible(), false);
  assert.ok((await page.locator('.members > li').count()) > 10);
});

test('the reference has no accessibility violation and fits 320 pixels, with forms, errors and a dialog open', async (t) => {
  const { page } = await visitReference(t);
  const closed = page.locator('details.response:not([open]) > summary');
  await closed.evaluateAll((all) => {
    for (const each of all) (each as HTMLElement).click();
  });
  await chooseSender(page, 'Token', 'not a token');
  await openForm(page, 'validateForm');
  await send(page, 'validateForm');
  await page.locator('#validateForm .received-response summary').click();
  const register = await openForm(page, 'register');
  await register.getByLabel('Request body').fill('{');
  await sendButton(page, 'register').click();
  await register.getByRole('alert').waitFor();
  await checkView(page);
  const form = await openForm(page, 'deleteUser');
  await form.getByLabel('id path').fill('some-id');
  await sendButton(page, 'deleteUser').click();
  await page.getByRole('dialog', { name: 'Delete a user?' }).waitFor();
  await checkView(page);
});

test('the reference follows the light or dark color scheme of the system', async (t) => {
  const background = async (colorScheme: 'light' | 'dark') => {
    const { page } = await visitReference(t, { colorScheme });
    return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  };
  assert.equal(await background('light'), 'rgb(255, 255, 255)');
  assert.equal(await background('dark'), 'rgb(20, 23, 28)');
});
