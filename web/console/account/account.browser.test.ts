import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { codeAt, createTotpCredential, STEP_MS, wrongCodeAt } from '../../../test/support/totp.ts';

const PAGE = '/console/account';
const CODE = '[name=code]';
const says = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const alerts = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

describe('two-step sign-in in the console', () => {
  const clock = manualClock();
  const service = useService('sqlite', { clock });
  const visit = useConsole(service);
  const create = async (name: string) => {
    const credential = await createTotpCredential(service, clock.now, { name });
    clock.now += 2 * STEP_MS;
    return credential;
  };

  test('two-step sign-in is set up by keyboard, with a QR code, a confirmed code and recovery codes that are saved', async (t) => {
    const { secret } = await createCredential(service, ['users:read'], { name: 'Support: Ada' });
    const { page } = await visit(t, '/console/users', { credential: secret });
    await tabTo(page, '.account a');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your credential' }).waitFor();
    await page.getByText('Off', { exact: true }).waitFor();
    await tabTo(page, 'main button.primary');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    const shown = (await dialog.getByRole('group', { name: 'Secret' }).innerText()).trim();
    assert.match(shown, /^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const appSecret = shown.replaceAll(' ', '');
    const uri = `otpauth://totp/Frontdesk:Support%20Ada?issuer=Frontdesk&secret=${appSecret}&algorithm=SHA1&digits=6&period=30`;
    assert.equal((await dialog.getByRole('group', { name: 'Link' }).innerText()).trim(), uri);
    assert.equal(await dialog.getByRole('link', { name: 'open it in an app' }).getAttribute('href'), uri);
    await checkView(page);
    await tabTo(page, CODE);
    await page.keyboard.type(wrongCodeAt(appSecret, clock.now));
    await page.keyboard.press('Enter');
    await alerts(page, 'The code is wrong');
    await waitForFocus(page, CODE);
    await page.locator(CODE).fill(codeAt(appSecret, clock.now));
    await page.keyboard.press('Enter');
    const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' });
    const codes = (await kept.getByRole('group', { name: 'Recovery codes' }).innerText()).trim().split('\n');
    assert.equal(new Set(codes).size, 10);
    await checkView(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      kept.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'recovery-codes.txt');
    const content = await file.createReadStream().then((stream) => stream.toArray());
    const text = Buffer.concat(content).toString();
    for (const expected of ['Support: Ada', new URL(page.url()).host, ...codes])
      assert.ok(text.includes(expected), expected);
    await kept.getByRole('button', { name: 'I have kept them' }).click();
    await says(page, 'Two-step sign-in is on.');
    await page.getByText('10 of 10 recovery codes left.').waitFor();
    assert.equal(await page.getByText(appSecret).count(), 0);
    await checkView(page);
  });

  test('a sign-in asks for the code after the credential, by keyboard, and says when it is wrong', async (t) => {
    const { secret, appSecret } = await create('Support: Grace');
    const { page } = await visit(t, PAGE, { isSignedIn: false });
    await page.getByLabel('Credential').fill(secret);
    await page.keyboard.press('Enter');
    await waitForFocus(page, CODE);
    const field = page.getByLabel('Code');
    const attributes = await Promise.all(
      ['autocomplete', 'inputmode'].map((name) => field.getAttribute(name)),
    );
    assert.deepEqual(attributes, ['one-time-code', 'numeric']);
    await checkView(page);
    for (const [wrong, message] of [
      ['', 'Enter the code.'],
      [wrongCodeAt(appSecret, clock.now), 'This code is not accepted'],
    ] as const) {
      await field.fill(wrong);
      await page.keyboard.press('Enter');
      await alerts(page, message);
      await waitForFocus(page, CODE);
    }
    await page.keyboard.type(codeAt(appSecret, clock.now));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your credential' }).waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.equal(stored, '[{},{},""]');
  });

  test('a sign-in accepts a recovery code, by keyboard, and the page says how many are left', async (t) => {
    const { secret, recoveryCodes } = await create('Support: Joan');
    const { page } = await visit(t, PAGE, { isSignedIn: false });
    await page.getByLabel('Credential').fill(secret);
    await page.keyboard.press('Enter');
    await waitForFocus(page, CODE);
    await tabTo(page, 'button.link');
    await page.keyboard.press('Enter');
    await waitForFocus(page, CODE);
    assert.equal(await page.getByLabel('Recovery code').getAttribute('inputmode'), 'text');
    await page.keyboard.type(recoveryCodes[0]!);
    await page.keyboard.press('Enter');
    await page.getByText('9 of 10 recovery codes left.').waitFor();
  });

  test('a sign-in can begin again with another credential, and reports limits', async (t) => {
    const { secret } = await create('Support: Edith');
    const { page } = await visit(t, PAGE, { isSignedIn: false });
    await page.getByLabel('Credential').fill(secret);
    await page.keyboard.press('Enter');
    await waitForFocus(page, CODE);
    const limited = { error: 'Too many requests', code: 'too_many_requests' };
    await page.route('**/console/session', (route) =>
      route.fulfill({ status: 429, json: limited, headers: { 'Retry-After': '8' } }),
    );
    await page.locator(CODE).fill('123456');
    await page.keyboard.press('Enter');
    await alerts(page, 'Try again in 8 seconds.');
    await page.unroute('**/console/session');
    await page.getByRole('button', { name: 'Use another credential' }).click();
    await page.getByLabel('Credential').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('is set in the environment of the service').waitFor();
  });

  test('an ended session asks for credential and code, and keeps typed values', async (t) => {
    const { secret, appSecret } = await create('Support: Mary');
    const { page, context } = await visit(t, '/console/form-check', { isSignedIn: false });
    const signIn = async (code: string) => {
      await page.getByLabel('Credential').fill(secret);
      await page.keyboard.press('Enter');
      await waitForFocus(page, CODE);
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
    };
    await signIn(codeAt(appSecret, clock.now));
    await page.getByLabel('Label').fill('first_name');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Check' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    clock.now += STEP_MS;
    await signIn(codeAt(appSecret, clock.now));
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Label').inputValue(), 'first_name');
  });

  test('two-step sign-in gets new recovery codes with a code, and is switched off with a recovery code', async (t) => {
    const { secret, appSecret } = await create('Support: Kay');
    const { page } = await visit(t, PAGE, { isSignedIn: false });
    await page.getByLabel('Credential').fill(secret);
    await page.keyboard.press('Enter');
    await page.locator(CODE).fill(codeAt(appSecret, clock.now));
    await page.keyboard.press('Enter');
    clock.now += STEP_MS;
    await page.getByRole('button', { name: 'New recovery codes…' }).click();
    await page.locator(CODE).fill(codeAt(appSecret, clock.now));
    await page.keyboard.press('Enter');
    const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' });
    const codes = (await kept.getByRole('group', { name: 'Recovery codes' }).innerText()).trim().split('\n');
    await kept.getByRole('button', { name: 'I have kept them' }).click();
    await says(page, 'The recovery codes were replaced.');
    await page.getByRole('button', { name: 'Switch off…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch two-step sign-in off?' });
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.keyboard.type('not a code');
    await page.keyboard.press('Enter');
    await alerts(page, 'The code is wrong');
    await page.locator(CODE).fill(codes[0]!);
    await page.keyboard.press('Enter');
    await says(page, 'Two-step sign-in is off.');
    await page.getByText('Off', { exact: true }).waitFor();
  });

  test('the credentials page marks two-step sign-in, and resets that of somebody else after a confirmation', async (t) => {
    const { secret, path } = await create('Support: Jean');
    const { page } = await visit(t, '/console/credentials');
    const row = page.getByRole('row').filter({ hasText: 'Support: Jean' });
    await row.getByText('Two-step', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Reset two-step sign-in of Support: Jean' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reset two-step sign-in of Support: Jean?' });
    await dialog.getByRole('button', { name: 'Reset two-step sign-in of Support: Jean' }).click();
    await says(page, 'Two-step sign-in of Support: Jean was reset.');
    await row.getByText('Two-step', { exact: true }).waitFor({ state: 'detached' });
    assert.equal((await service.api.get(path, { token: ADMIN_TOKEN })).body.data.totp_enabled_at, null);
    assert.equal((await service.api.get('/api/v1/users', { token: secret })).status, 200);
  });
});
