import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../test/support/browser/console.ts';
import { waitForFocus } from '../../test/support/browser/keyboard.ts';
import { chooseSender, openForm, send, sendButton } from '../../test/support/browser/reference.ts';
import { useService } from '../../test/support/service.ts';

describe('the reference for keyboards, narrow windows and assistive technology', () => {
  const visit = useConsole(useService('sqlite'));
  const open: typeof visit = (t, path, options) => visit(t, path, { isSignedIn: false, ...options });

  test('the reference shows the group of a deep link on load, scrolls to its operation and moves the focus there', async (t) => {
    const { page } = await open(t, '/docs#getUser');
    await waitForFocus(page, '#getUser');
    const top = await page.locator('#getUser').evaluate((section) => section.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 200, `the operation starts ${top} px below the top of the window`);
  });

  test('the reference moves the focus to an operation of another group when its link is followed by keyboard', async (t) => {
    const { page } = await open(t, '/docs');
    await page.locator('.operations a[href="#createForm"]').press('Enter');
    await waitForFocus(page, '#createForm');
  });

  test('the reference has no accessibility violation and fits 320 pixels, with forms, errors and a dialog open', async (t) => {
    const { page } = await open(t, '/docs#listCredentials');
    const closed = page.locator('details:not([open]):not(.try) > summary');
    await page.locator('#listCredentials').waitFor();
    await closed.evaluateAll((all) => {
      for (const each of all) (each as HTMLElement).click();
    });
    await chooseSender(page, 'Token', 'not a token');
    const list = await openForm(page, 'listCredentials');
    await send(page, 'listCredentials');
    await list.locator('.received-response summary').click();
    const creation = await openForm(page, 'createCredential');
    await creation.getByLabel('Request body').fill('{');
    await sendButton(page, 'createCredential').click();
    await creation.getByRole('alert').waitFor();
    await checkView(page);
    const form = await openForm(page, 'revokeCredential');
    await form.getByLabel('id path').fill('some-id');
    await sendButton(page, 'revokeCredential').click();
    await page.getByRole('dialog', { name: 'Revoke a credential?' }).waitFor();
    await checkView(page);
  });
});
