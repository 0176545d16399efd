/** The way from an application over the page to sign in, and back: browsers apply `form-action` to its redirects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { authorization, createApplication } from '../../../test/support/applications.ts';
import { checkAppearance, openLinkPage } from '../../../test/support/browser/link-pages.ts';
import { beginDevice, pollDevice } from '../../../test/support/devices.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';

describe('sign-in to an application in a browser', () => {
  const clock = manualClock(Date.now());
  const service = useService('sqlite', { clock });
  const application = createServer((_request, response) => response.end('the application'));
  before(() => once(application.listen(0, '127.0.0.1'), 'listening'));
  after(() => application.close());

  async function signIn(page: Page, { email, password }: { email: string; password: string }) {
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=current_password]').fill(password);
    await page.locator('[name=current_password]').press('Enter');
  }

  test('a person who signs in gets back to the application; prompt login and max_age show the form again, once', async (context) => {
    const { port } = application.address() as AddressInfo;
    const { id, client_secret } = await createApplication(service, {
      redirect_uris: ['http://127.0.0.1/callback'],
      post_logout_redirect_uris: ['http://127.0.0.1/'],
    });
    const redirect_uri = `http://127.0.0.1:${port}/callback`;
    const toUrl = (changes: Record<string, string>) =>
      `${service.api.url}/oauth/authorize?${authorization({ id, client_secret }, { redirect_uri, ...changes })}`;
    const person = await register(service);
    const { page, errors } = await openLinkPage(context, toUrl({}));
    const isBack = () =>
      page.waitForURL((url) => url.href.startsWith(redirect_uri) && url.searchParams.has('code'));
    await signIn(page, { ...person, password: 'a wrong password' });
    await page.locator('.notice').waitFor();
    await signIn(page, person);
    await isBack();
    await page.goto(toUrl({ prompt: 'none' }));
    await isBack();
    for (const changes of [
      { prompt: 'login' },
      { max_age: '0' },
      { prompt: 'select_account', max_age: '0' },
    ]) {
      await page.goto(toUrl(changes));
      assert.match(await page.locator('h1').innerText(), /^Sign in to Application/);
      clock.now += 1;
      await signIn(page, person);
      await isBack();
    }
    await page.goto(
      `${service.api.url}/oauth/end-session?${new URLSearchParams({ client_id: id, post_logout_redirect_uri: `http://127.0.0.1:${port}/` })}`,
    );
    await page.locator('form button').click();
    await page.waitForURL(`http://127.0.0.1:${port}/`);
    await page.goto(toUrl({}));
    assert.match(await page.locator('h1').innerText(), /^Sign in to Application/);
    assert.deepEqual(errors, []);
  });

  test('a person confirms a device by its code without JavaScript, in pages that are accessible at 320 and 1280 pixels, light and dark', async (context) => {
    const device = await createApplication(service, { name: 'Desk for the command line', device: true });
    const codes = await beginDevice(service, device, { headers: { 'user-agent': 'desk-cli/1.0' } });
    const person = await register(service);
    const { page, errors, enableJavaScript } = await openLinkPage(context, codes.verification_uri_complete);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Continue');
    await signIn(page, person);
    const question = page.getByRole('heading', { name: 'Sign a device in to Desk for the command line?' });
    await question.waitFor();
    await page.getByText(codes.user_code).waitFor();
    await enableJavaScript();
    await checkAppearance(page);
    await press('Allow');
    await page.getByRole('heading', { name: 'The device is signed in' }).waitFor();
    assert.equal((await pollDevice(service, device, codes.device_code)).status, 200);
    await checkAppearance(page);
    await page.goto(`${service.api.url}/device/confirm?user_code=BBBB-BBBB&lang=de`);
    await page.getByText('Dieser Code ist falsch').waitFor();
    await checkAppearance(page, 'de');
    assert.deepEqual(errors, []);
  });
});
