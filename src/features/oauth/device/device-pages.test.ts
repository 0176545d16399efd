import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication, signIn } from '../../../../test/support/applications.ts';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import {
  beginDevice,
  createSignedInBrowser,
  type DeviceCodes,
  pollDevice,
} from '../../../../test/support/devices.ts';
import { limited, manualClock } from '../../../../test/support/limits.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { createBrowser, type TestBrowser } from '../../../../test/support/upstream/sign-in.ts';
import { register } from '../../../../test/support/users.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';

const readHeading = (page: Parameters<typeof getHeading>[0]) => getHeading(page) ?? '';
const WRONG = 'This code is wrong, has expired, or was used before';
const unlimited = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off', RATE_LIMIT_ANON: 'off' };

describeOnSqlite('pages of devices', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: { ...unlimited, RATE_LIMIT_DEVICE_CODE: 'off', EVENTS_ADDRESS: 'full' },
  });

  async function begin() {
    const application = await createApplication(service, {
      name: `Desk ${crypto.randomUUID()}`,
      device: true,
    });
    const codes = await beginDevice(service, application, { headers: { 'user-agent': 'desk-cli/1.0' } });
    const poll = () => pollDevice(service, application, codes.device_code);
    return { application, poll, path: `/device/confirm?user_code=${codes.user_code}`, ...codes };
  }
  const createPerson = async () => createSignedInBrowser(service, await signIn(service, { clock }));
  const follow = async (
    browser: TestBrowser,
    path: string,
    { user_code }: Pick<DeviceCodes, 'user_code'>,
  ) => {
    const { headers, text } = await browser.submit(path, { user_code });
    assert.ok(headers.get('location'), text);
    return browser.get(headers.get('location')!);
  };

  test('the link of a device shows its code in a form, and its person signs in and decides before it gets a token', async () => {
    const { verification_uri_complete, user_code, poll } = await begin();
    const { email, password } = await register(service);
    const browser = createBrowser(service);
    const form = await browser.get(verification_uri_complete.slice(service.api.url.length));
    assert.match(form.text, new RegExp(`name="user_code" [^>]*value="${user_code}"`));
    const confirm = (await browser.submit('/device', { user_code })).headers.get('location')!;
    const signInUrl = (await browser.get(confirm)).headers.get('location')!;
    assert.match(signInUrl, /^\/sign-in\?return_to=/);
    const sent = await browser.submit(signInUrl, { email, current_password: password });
    const question = await browser.get(sent.headers.get('location')!);
    assert.match(readHeading(question), /^Sign a device in to Desk/);
    for (const part of [
      user_code,
      email,
      'desk-cli/1.0, 127.0.0.1',
      'Allow it only if you have started this',
    ])
      assert.ok(question.text.includes(part), part);
    assert.match(question.text, /asked for this at \d+ \w+ \d{4}, \d\d:\d\d/);
    assert.equal((await poll()).body.error, 'authorization_pending');
    assert.match(
      readHeading(await follow(browser, '/device/allow', { user_code })),
      /^The device is signed in/,
    );
    assert.equal((await poll()).status, 200);
  });

  test('a code is accepted in small letters, with blanks, and without a hyphen', async () => {
    const browser = await createPerson();
    const { user_code } = await begin();
    const [one = '', two] = user_code.toLowerCase().split('-');
    for (const typed of [`${one}${two}`, ` ${one} ${two} `, `${one}–${two}`, user_code])
      assert.match(readHeading(await follow(browser, '/device', { user_code: typed })), /^Sign a device in/);
  });

  test('opening the page of a device changes nothing, and nobody decides without a session or from another site', async () => {
    const { path, user_code, poll } = await begin();
    const browser = await createPerson();
    for (let opened = 0; opened < 2; opened++) assert.equal((await browser.get(path)).status, 200);
    const stranger = await createBrowser(service).submit('/device/allow', { user_code });
    assert.match(
      (await createBrowser(service).get(stranger.headers.get('location')!)).headers.get('location')!,
      /^\/sign-in/,
    );
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join();
    const headers = {
      ...{ cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      'content-type': 'application/x-www-form-urlencoded',
    };
    const forged = await service.api.request('POST', '/device/allow', {
      raw: `user_code=${user_code}`,
      headers,
    });
    assert.equal(forged.status, 403);
    clock.now += MINUTE;
    assert.equal((await poll()).body.error, 'authorization_pending');
  });

  test('no page of a device can be framed', async () => {
    const browser = await createPerson();
    const { path, user_code } = await begin();
    const outcome = await follow(browser, '/device/allow', { user_code });
    for (const page of [await browser.get('/device'), await browser.get(path), outcome]) {
      assert.match(page.headers.get('content-security-policy')!, /frame-ancestors 'none'/);
      assert.equal(page.headers.get('x-frame-options'), 'DENY');
    }
  });

  test('codes that are unknown, too long, have expired, or that another person has used get the same page, and their person the outcome', async () => {
    const [browser, other] = [await createPerson(), await createPerson()];
    const [allowed, denied, expired] = [await begin(), await begin(), await begin()];
    await follow(browser, '/device/allow', allowed);
    await follow(browser, '/device/deny', denied);
    await allowed.poll();
    assert.match(readHeading(await browser.get(allowed.path)), /^The device is signed in to Desk/);
    assert.match(readHeading(await browser.get(denied.path)), /^You have denied access/);
    const tooLong = { user_code: expired.user_code + 'B'.repeat(30_000) };
    const used = [
      await other.get(allowed.path),
      await other.get(denied.path),
      await follow(other, '/device', tooLong),
    ];
    clock.now += 10 * MINUTE;
    const pages = [
      ...used,
      await browser.get(expired.path),
      await browser.get('/device/confirm?user_code=BBBB-BBBB'),
      await browser.get('/device/confirm'),
    ];
    const texts = pages.map(({ status, text }) => {
      assert.ok(text.includes(WRONG));
      return `${status} ${text.replaceAll(/user_code=[\w-]*(?:&amp;)?| value="[\w-]*"/g, '')}`;
    });
    assert.equal(new Set(texts).size, 1);
    assert.match(pages.at(-2)!.text, / value="BBBB-BBBB"/);
  });

  test('a form without a code is shown again with what is missing', async () => {
    const sent = await createBrowser(service).submit('/device', { user_code: '' });
    assert.equal(sent.status, 400);
    assert.ok(sent.text.includes('Enter the code that the device shows.'));
  });
});

describeOnEachEngine('wrong codes of devices', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { ...limited(unlimited), clock });

  test('a network tries ten wrong codes in an hour, also at once, and right ones do not count', async () => {
    const application = await createApplication(service, { device: true });
    const { user_code } = await beginDevice(service, application);
    const browser = createSignedInBrowser(service, await signIn(service, { clock }));
    const confirm = async (code: string) => (await browser.get(`/device/confirm?user_code=${code}`)).status;
    for (let uses = 0; uses < 12; uses++) assert.equal(await confirm(user_code), 200);
    const guesses = Array.from({ length: 30 }, (_, index) => confirm(`BBBB-BB${'BCDFGHJKLM'[index % 10]}B`));
    const statuses = await Promise.all(guesses);
    assert.equal(statuses.filter((status) => status === 400).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 20);
    const blocked = await browser.submit('/device/allow', { user_code });
    assert.equal(blocked.status, 429);
    const seconds = Number(blocked.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= HOUR / 1000, String(seconds));
    const { body } = await pollDevice(
      service,
      application,
      (await beginDevice(service, application)).device_code,
    );
    assert.equal(body.error, 'authorization_pending');
  });
});
