import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startDelayedConnections } from '../../../../test/support/browser/delayed-connections.ts';
import { tabTo, waitForFocus } from '../../../../test/support/browser/keyboard.ts';
import { checkAppearance, openLinkPage } from '../../../../test/support/browser/link-pages.ts';
import { startChromium } from '../../../../test/support/browser/person-pages.ts';
import { FORMS, sendTwice } from '../../../../test/support/browser/second-presses.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { readMailedCodes, WITH_CODES } from '../../../../test/support/mailed-codes.ts';
import { useService } from '../../../../test/support/service.ts';
import { codeAt } from '../../../../test/support/totp.ts';
import { register } from '../../../../test/support/users.ts';

/** Enough for the links and forms of the account. */
const MAX_PRESSES = 60;

describe('hosted pages in a browser', () => {
  const clock = manualClock(Date.now());
  const service = useService('sqlite', { clock });
  const withoutPasswords = useService('sqlite', {
    clock,
    environment: { ...WITH_CODES, PASSWORD_SIGN_IN: 'off' },
  });

  const press = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  async function fill(page: Page, values: Readonly<Record<string, string>>, scope = '') {
    for (const [name, value] of Object.entries(values)) {
      await tabTo(page, `${scope} [name=${name}]`, MAX_PRESSES);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(value);
    }
    await press(page);
  }

  test('a person signs in and turns two-step sign-in on by keyboard without JavaScript; all pages are accessible at 320 and 1280 pixels, light and dark', async (context) => {
    const { email, password } = await register(service);
    const opened = await openLinkPage(context, `${service.api.url}/sign-in`);
    const { page, errors } = opened;
    const heading = () => page.locator('h1').innerText();
    await fill(page, { email, current_password: 'wrong password' });
    await waitForFocus(page, '.notice');
    assert.match(await page.title(), /^Error: /);
    assert.equal(await page.locator('[name=email]').inputValue(), email);
    await opened.enableJavaScript();
    await checkAppearance(page);
    await fill(page, { email, current_password: password });
    assert.equal(await heading(), 'Your account');
    await checkAppearance(page);
    await page.locator('#two-step summary').focus();
    await page.keyboard.press('Enter');
    await fill(page, { current_password: password }, '[open]');
    assert.equal(await heading(), 'Turn on two-step sign-in');
    await checkAppearance(page);
    const secret = (await page.locator('main code').innerText()).replaceAll(' ', '');
    await fill(page, { code: codeAt(secret, clock()) });
    assert.equal(await page.locator('.recovery-codes li').count(), 10);
    await checkAppearance(page);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    assert.equal((await download).suggestedFilename(), 'recovery-codes.txt');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, (await page.locator('.recovery-codes li').allInnerTexts()).join('\n'));
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.locator('#two-step .badge.good').waitFor();
    const time = page.locator('#two-step time');
    assert.match((await time.getAttribute('title'))!, /UTC$/);
    assert.doesNotMatch(await time.innerText(), /UTC/);
    for (const path of ['/sign-up', '/sign-up/done', '/sign-out', '/sign-in/second-factor']) {
      await page.goto(service.api.url + path);
      await checkAppearance(page);
    }
    assert.deepEqual(errors, []);
  });
  test('a person signs in with a mailed code by keyboard without JavaScript; its pages are accessible at 320 and 1280 pixels, light and dark', async (context) => {
    const { email } = await register(withoutPasswords);
    const { url } = withoutPasswords.api;
    const opened = await openLinkPage(context, `${url}/sign-in`);
    const { page, errors } = opened;
    await fill(page, { email });
    assert.equal(await page.locator('h1').innerText(), 'Check your email');
    await fill(page, { mail_code: 'wrong' });
    await waitForFocus(page, '.notice');
    await opened.enableJavaScript();
    await checkAppearance(page);
    const [code] = await readMailedCodes(withoutPasswords, email);
    await fill(page, { mail_code: code!.toLowerCase().replace('-', ' ') });
    assert.equal(await page.locator('h1').innerText(), 'Your account');
    await page.context().clearCookies();
    for (const path of ['/sign-in', '/sign-up', '/sign-in/code']) {
      await page.goto(url + path);
      await checkAppearance(page);
    }
    assert.deepEqual(errors, []);
  });

  // second-press.slow.test.ts has the other forms, browsers and latencies.
  test('a double click, a reload, and Back with another press complete the second step of a sign-in once, without JavaScript, at a latency of 100 ms', async (context) => {
    const browser = await startChromium(false);
    context.after(() => browser.close());
    const url = await startDelayedConnections(context, service.api.url, 100);
    const form = { openForm: FORMS['the second step of a sign-in']!, press: 'a double click' };
    await sendTwice(await browser.newPage(), { service, clock, url }, form);
  });
});
