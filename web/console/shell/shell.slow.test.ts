import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus, waitForFocusedText } from '../../../test/support/browser/keyboard.ts';
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

  test('the navigation fits into 1,280 × 800 pixels, with all entries and their headings', async (t) => {
    const { page } = await visit(t, '/console/settings', { viewport: { width: 1280, height: 800 } });
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'Documents' }).waitFor();
    for (const name of ['Access', 'Service']) await navigation.getByRole('heading', { name }).waitFor();
    assert.ok(await navigation.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
  });

  test('the navigation shows how many records need somebody', async (t) => {
    const { page } = await visit(t, '/console/users');
    const count = page.locator('.side .count');
    await count.waitFor();
    assert.match(await count.innerText(), /^1/);
    await page.getByRole('link', { name: /^Mail 1 1 message not sent yet/ }).waitFor();
  });

  test('the text of the console has a font of its own with its weights, and figures of one width', async (t) => {
    const { page } = await visit(t, '/console/users');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ weight }) => weight);
    });
    assert.deepEqual(loaded, ['400 700']);
    const measure = (text: string, weight: number) =>
      page.evaluate(
        ([text, weight]) => {
          const span = document.body.appendChild(document.createElement('span'));
          span.textContent = text;
          span.style.fontWeight = String(weight);
          return span.getBoundingClientRect().width;
        },
        [text, weight] as const,
      );
    assert.notEqual(await measure('Hierarchy', 500), await measure('Hierarchy', 400));
    assert.equal(await measure('1111', 400), await measure('0000', 400));
  });
});

describe('the keys of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    for (const name of ['Edsger', 'Ada', 'Grace'])
      await insertTestUser(service.service.database, { name, email: `${name}@example.com` });
  });

  test('the keys of the console select a row, and clear the search before the selection', async (t) => {
    const { page } = await visit(t, '/console/users?search=ada');
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await waitForFocus(page, '.main-cell a');
    await page.keyboard.press('x');
    await page.getByText('1 selected:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected:').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await waitForFocus(page, '[type=search]');
    await page.keyboard.press('Escape');
    await page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
  });

  test('the keys of the console are listed in a dialog, which returns the focus, and are letters in a field', async (t) => {
    const { page } = await visit(t, '/console/users');
    await page.getByRole('searchbox').fill('a');
    await page.keyboard.press('?');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'a?');
    await page.getByRole('button', { name: 'Create user' }).focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('Search users').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocusedText(page, 'Create user');
  });
});
