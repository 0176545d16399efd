import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { useConsole } from '../../../test/support/browser/console.ts';
import { enqueue } from '../../../test/support/mail.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const NAMED = { MAIL_FROM: 'Books & Friends <accounts@example.com>' };

describe('the frame of the console', () => {
  const service = useService('sqlite', { environment: NAMED });
  const visit = useConsole(service);
  before(async () => {
    const { database } = service.service;
    const email = 'ada@example.com';
    const { id: userId } = await insertTestUser(database, { email });
    await enqueue(database, { kind: 'verify_email', userId, email, now: Date.now() });
  });

  test('the console has its navigation at the side from 1,024 pixels, and below that as a menu', async (t) => {
    const { page } = await visit(t, '/console', { viewport: { width: 1024, height: 700 } });
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'Users' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1023, height: 700 });
    await navigation.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.setViewportSize({ width: 390, height: 700 });
    await navigation.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    // The menu closes.
    await navigation.waitFor({ state: 'hidden' });
  });

  test('the console shows the name of the service, its host and an icon', async (t) => {
    const { page } = await visit(t, '/console', { isSignedIn: false });
    await page.getByRole('heading', { name: 'Books & Friends console' }).waitFor();
    await page.getByLabel('ADMIN_TOKEN').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Not now' }).click();
    const { host } = new URL(page.url());
    await page.getByRole('link', { name: `Books & Friends ${host}` }).waitFor();
    await page.waitForFunction(() => document.title === 'Overview · Books & Friends');
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    const response = await page.request.get(icon!);
    assert.equal(response.headers()['content-type'], 'image/svg+xml');
  });
});
