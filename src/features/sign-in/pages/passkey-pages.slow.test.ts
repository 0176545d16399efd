import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { tabTo } from '../../../../test/support/browser/keyboard.ts';
import { checkAppearance, openLinkPage } from '../../../../test/support/browser/link-pages.ts';
import { atLocalhost, createPasskeyClient } from '../../../../test/support/passkeys.ts';
import { useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { register } from '../../../../test/support/users.ts';

const MAX_PRESSES = 60;
const AUTHENTICATOR = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;

/** Opens a page of a browser with an authenticator whose person is present only when `setPresence` says so. */
async function openPage(context: TestContext) {
  const session = await (await openBrowser()).newContext({ locale: 'en-GB' });
  context.after(() => session.close());
  const page = await session.newPage();
  const errors: string[] = [];
  page.on('console', (entry) => {
    if (entry.type() === 'error' && !/the server responded with a status/.test(entry.text()))
      errors.push(entry.text());
  });
  const devTools: CDPSession = await session.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = { ...AUTHENTICATOR, automaticPresenceSimulation: false };
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options });
  const setPresence = (enabled: boolean) =>
    devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  const count = async () =>
    (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  return { page, errors, setPresence, count };
}

describe('passkeys on pages in a browser', () => {
  const service = useService('sqlite');
  const press = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

  async function signIn(page: Page, { email, password }: { email: string; password: string }) {
    await page.goto(`${atLocalhost(service).origin}/sign-in`);
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=current_password]').fill(password);
    await page.locator('[name=current_password]').press('Enter');
    await page.waitForURL('**/account');
  }

  async function begin(page: Page, password: string) {
    await page.locator('#passkeys summary', { hasText: 'Add a passkey' }).click();
    await page.locator('#passkeys [open] [name=current_password]').fill(password);
    await page.locator('#passkeys [open] [name=current_password]').press('Enter');
    await page.waitForURL('**/account/passkeys/new');
  }

  test('a person adds a passkey by keyboard, signs in with it by the address field and by the button, and removes it, which the browser is told; all pages are accessible at 320 and 1280 pixels, light and dark', async (context) => {
    const person = await register(service);
    const { local, newAuthenticator } = atLocalhost(service);
    const client = createPasskeyClient(local);
    await client.add(person.token, newAuthenticator().create(await client.begin(person)), 'Phone');
    const { page, errors, setPresence, count } = await openPage(context);
    await signIn(page, person);
    await begin(page, person.password);
    await checkAppearance(page);
    await setPresence(true);
    await tabTo(page, '.passkey button', MAX_PRESSES);
    await press(page);
    await page.locator('#passkeys strong').nth(1).waitFor();
    await checkAppearance(page);
    await begin(page, person.password);
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.getByText('This device has a passkey of your account already.').waitFor();
    assert.equal(await count(), 1);

    await page.goto(`${atLocalhost(service).origin}/account`);
    await setPresence(false);
    const signOut = async () => {
      await page.context().clearCookies();
      await page.goto(`${atLocalhost(service).origin}/sign-in`);
    };
    await signOut();
    await checkAppearance(page);
    // The request in the address field waits, and ends for that of the button.
    await setPresence(true);
    await tabTo(page, '.passkey button', MAX_PRESSES);
    await press(page);
    assert.equal(await page.locator('h1').innerText(), 'Your account');
    // With the person present, the browser answers the request in the address field at once.
    await signOut();
    await page.waitForURL('**/account');

    await page.locator('#passkeys summary', { hasText: 'Remove' }).last().click();
    await page.locator('#passkeys [open] [name=current_password]').fill(person.password);
    await page.locator('#passkeys [open] [name=current_password]').press('Enter');
    await page.waitForURL('**/account?done=saved');
    await until(async () => (await count()) === 0, 'the removal in the browser');
    assert.deepEqual(errors, []);
  });

  test('without JavaScript, pages show no button of passkeys, and say so where it is the only way on', async (context) => {
    const person = await register(service);
    const { origin } = atLocalhost(service);
    const { page } = await openLinkPage(context, `${origin}/sign-in`);
    assert.equal(await page.locator('.passkey button').isVisible(), false);
    await page.locator('[name=email]').fill(person.email);
    await page.locator('[name=current_password]').fill(person.password);
    await press(page);
    await page.getByText('adding passkeys needs JavaScript').waitFor();
    await begin(page, person.password);
    await page.getByText('adding passkeys needs JavaScript').waitFor();
    assert.equal(await page.locator('.passkey button').isVisible(), false);
  });

  test('the request in the address field gets new options before its challenge is too old', async (context) => {
    const person = await register(service);
    const { page, setPresence } = await openPage(context);
    await signIn(page, person);
    await begin(page, person.password);
    await setPresence(true);
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.waitForURL('**/account?done=saved');
    await setPresence(false);
    await page.context().clearCookies();
    await page.clock.install();
    const waitForOptions = () => page.waitForResponse('**/sign-in/passkey/options');
    await Promise.all([waitForOptions(), page.goto(`${atLocalhost(service).origin}/sign-in`)]);
    await Promise.all([waitForOptions(), page.clock.fastForward('04:01')]);
  });

  test('a passkey that was removed elsewhere is rejected in words, and the browser forgets it; without one, the button says so', async (context) => {
    const person = await register(service);
    const { page, setPresence, count } = await openPage(context);
    await signIn(page, person);
    await begin(page, person.password);
    await setPresence(true);
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.waitForURL('**/account?done=saved');
    const { body } = await service.api.get('/api/v1/me/passkeys', { token: person.token });
    await service.api.request('DELETE', `/api/v1/me/passkeys/${body.data[0].id}`, {
      token: person.token,
      body: { current_password: person.password },
    });
    await page.context().clearCookies();
    await page.goto(`${atLocalhost(service).origin}/sign-in`);
    await page.getByText('This passkey was not accepted').waitFor();
    await until(async () => (await count()) === 0, 'the removal in the browser');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('no passkey was used').waitFor();
  });
});
