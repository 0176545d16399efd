import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startProxy } from '../../../../test/support/browser/account-pages.ts';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { waitForFocus } from '../../../../test/support/browser/keyboard.ts';
import {
  CHECKS,
  checkState,
  createLinkUrl,
  NEW_PASSWORD,
  openLinkPage,
  pressButton,
  STATE_OPTIONS,
  STATES,
  submitBlankPassword,
  submitPassword,
} from '../../../../test/support/browser/link-pages.ts';
import { logIn } from '../../../../test/support/processes/recovery.ts';
import { rawRequest, sendRawOnce } from '../../../../test/support/raw-http.ts';
import { admin, openService, useService } from '../../../../test/support/service.ts';
import { mailEnvironment, startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { register } from '../../../../test/support/users.ts';

describe('link pages in a browser', () => {
  const service = useService('sqlite', STATE_OPTIONS);

  // link-pages-states.slow.test.ts has the others.
  test(`the link page in state password-rejected ${CHECKS}`, (context) =>
    checkState(context, service, STATES['password-rejected']!));

  test('a link page moves the focus to the reason why a password was rejected, which leads to the field and its error', async (context) => {
    const { page } = await openLinkPage(context, await createLinkUrl(service, 'reset_password'));
    await submitBlankPassword(page);
    const field = page.getByRole('textbox', { name: 'New password' });
    await waitForFocus(page, '.notice');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForFocus(page, 'input');
    assert.equal(await field.inputValue(), '');
    assert.match(await field.ariaSnapshot(), /New password/);
    assert.equal(await page.locator('#password-error').innerText(), 'The password field is required.');
    assert.match(await page.title(), /^Error: /);
    await submitPassword(page, NEW_PASSWORD);
    assert.equal(await page.locator('h1').innerText(), 'Your password is set');
  });

  test('a link page does not send the form again when the page of the outcome is reloaded', async (context) => {
    const { page } = await openLinkPage(context, await createLinkUrl(service, 'reset_password'));
    const before = service.log.length;
    await submitPassword(page, NEW_PASSWORD);
    await page.reload();
    assert.equal(await page.locator('h1').innerText(), 'Your password is set');
    const posts = service.log
      .slice(before)
      .filter(({ method, route }) => method === 'POST' && /^\/account/.test(String(route)));
    assert.equal(posts.length, 1);
  });

  test('a double click and Enter send the form of a link page once, where there is JavaScript', async (context) => {
    const page = await (await openBrowser()).newPage();
    context.after(() => page.close());
    const url = await createLinkUrl(service, 'reset_password');
    let posts = 0;
    const proceed = Promise.withResolvers<void>();
    await page.route(url, async (route) => {
      if (route.request().method() === 'POST') {
        posts++;
        await proceed.promise;
      }
      await route.continue();
    });
    await page.goto(url);
    await page.locator('[name=password]').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).dblclick({ noWaitAfter: true });
    await page.keyboard.press('Enter');
    proceed.resolve();
    await page.waitForURL('**/account/password-set');
    assert.equal(posts, 1);
  });
});

describe('the link of a delivered message, below the path of a proxy, in a browser', () => {
  async function startWithMail(context: TestContext) {
    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    const proxy = await startProxy(context);
    const environment = { ...mailEnvironment(smtp), PUBLIC_URL: proxy.publicUrl };
    const service = await openService(context, 'sqlite', { environment });
    proxy.target = service.api.url;
    /** Waits for the message with this number, and returns its link. */
    const linkOfMessage = async (count: number) => {
      await smtp.waitFor(count);
      return /https?:\/\/\S+\/account\/\S+/.exec(smtp.received[count - 1]!.text!)![0];
    };
    return { service, smtp, proxy, linkOfMessage };
  }

  test('a delivered link verifies the email, and resets the password whatever the Host header was (poisoned link)', async (context) => {
    const { service, proxy, linkOfMessage } = await startWithMail(context);
    const person = await register(service);
    const verification = await linkOfMessage(1);
    const first = await openLinkPage(context, verification);
    assert.ok((await first.page.locator('main').innerText()).includes(person.email));
    await pressButton(first.page);
    assert.equal(first.page.url(), `${proxy.publicUrl}/account/email-verified`);
    const record = await service.api.get(`/api/v1/users/${person.id}`, admin);
    assert.notEqual(record.body.data.email_verified_at, null);

    const poisoned = ['Content-Type: application/json', 'X-Forwarded-Host: evil.example'];
    const body = JSON.stringify({ email: person.email });
    const request = rawRequest('POST', '/api/v1/password-resets', poisoned, body).toString();
    const sent = request.replace('Host: localhost', 'Host: evil.example');
    assert.equal((await sendRawOnce(service.api.url, sent)).status, 202);
    const reset = await linkOfMessage(2);
    assert.ok(reset.startsWith(`${proxy.publicUrl}/account/reset-password/`), 'the Host header is not used');
    // A scanner of the mail server opens the link first.
    assert.equal((await fetch(reset)).status, 200);
    const { page, errors } = await openLinkPage(context, reset);
    await submitPassword(page, NEW_PASSWORD);
    assert.equal(page.url(), `${proxy.publicUrl}/account/password-set`);
    assert.deepEqual(errors, []);
    assert.equal((await logIn(service, { ...person, password: NEW_PASSWORD })).status, 200);
    assert.equal((await fetch(reset)).url, `${proxy.publicUrl}/account/password-set`);
  });
});
