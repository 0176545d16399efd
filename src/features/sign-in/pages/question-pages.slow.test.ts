import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { tabTo, waitForFocus } from '../../../../test/support/browser/keyboard.ts';
import { checkAppearance, MAX_PRESSES, openLinkPage } from '../../../../test/support/browser/link-pages.ts';
import { editor, newUserData, useService } from '../../../../test/support/service.ts';
import { type Person, startIssuer } from '../../../../test/support/upstream/issuer.ts';
import { addProvider, LOOPBACK_ALLOWED, useProvider } from '../../../../test/support/upstream/sign-in.ts';
import { markEmailVerified, register } from '../../../../test/support/users.ts';

describe('sign-ins with an identity provider in a browser', () => {
  const service = useService('sqlite', { environment: LOOPBACK_ALLOWED });
  const { issuer, provider } = useProvider(service);

  /** Opens the sign-in page, whose provider signs the person in at once, without JavaScript. */
  async function open(context: TestContext, person: Person, changes: Record<string, string> = {}) {
    issuer.behaviour = { person, changes };
    const opened = await openLinkPage(context, `${service.api.url}/sign-in`);
    await press(opened.page, `a[href$="/sign-in/with/${provider.id}"]`);
    return { ...opened, heading: () => opened.page.locator('h1').innerText() };
  }

  async function press(page: Page, selector: string) {
    await tabTo(page, selector, MAX_PRESSES);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  }

  const newPerson = (email = newUserData().email, changes: object = {}): Person => ({
    ...{ sub: email, email, email_verified: true },
    ...changes,
  });

  /** Pages by the sign-in that leads to them. */
  const pages: Record<string, () => Promise<readonly [heading: string, person: Person, error?: string]>> = {
    'a code': async () => ['Check your email', newPerson(undefined, { email_verified: false })],
    'an account that nobody has confirmed': async () => [
      'Is this your account?',
      newPerson((await register(service)).email),
    ],
    'an account of the person': async () => {
      const user = await register(service);
      await markEmailVerified(service, user.id);
      return ['You have an account already', newPerson(user.email)];
    },
    'a refusal': async () => {
      const user = await register(service);
      await service.api.patch(`/api/v1/users/${user.id}`, { state: 'disabled' }, editor);
      return ['You cannot sign in with Upstream', newPerson(user.email)];
    },
    'a failure': async () => [
      'The sign-in with Upstream has failed',
      newPerson(undefined, { aud: 'another-client' }),
    ],
    'a sign-in that was cancelled': async () => ['You have not signed in', newPerson(), 'access_denied'],
  };
  for (const [title, prepare] of Object.entries(pages))
    test(`the page of ${title} is accessible at 320 and 1280 pixels, light and dark`, async (context) => {
      const [expected, person, error] = await prepare();
      const { page, heading, enableJavaScript, errors } = await open(context, person, error ? { error } : {});
      assert.equal(await heading(), expected);
      await enableJavaScript();
      await checkAppearance(page);
      assert.deepEqual(errors, []);
    });

  test('a person answers the question by keyboard, after a wrong password that is explained', async (context) => {
    const user = await register(service);
    const { page, heading, errors } = await open(context, newPerson(user.email));
    const submit = async (password: string) => {
      await tabTo(page, '[name=current_password]', MAX_PRESSES);
      await page.keyboard.type(password);
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    };
    await submit('a wrong password');
    await waitForFocus(page, '.notice');
    assert.match(await page.title(), /^Error: /);
    await submit(user.password);
    assert.equal(await heading(), 'Your account');
    assert.deepEqual(errors, []);
  });

  test('a person who is signed in links an identity from the page of the account', async (context) => {
    const { page, heading, errors } = await open(context, newPerson());
    const other = await startIssuer();
    context.after(() => other.close());
    await addProvider(service, other, { name: 'Second' });
    other.behaviour = { person: newPerson() };
    await page.reload();
    await page.locator('form[action^="/sign-in/with/"] button').click();
    await page.locator('#identities', { hasText: /Second\s.*Used on/s }).waitFor();
    assert.equal(page.url(), `${service.api.url}/account`);
    assert.equal(await heading(), 'Your account');
    assert.deepEqual(errors, []);
  });
});
