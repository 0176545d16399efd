import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../../test/support/limits.ts';
import { readMailedCodes, WITH_CODES } from '../../../../test/support/mailed-codes.ts';
import {
  atLocalhost,
  createAuthenticator,
  createPasskeyClient,
  type ResponseChanges,
  readCreation,
  WITH_PASSKEYS,
} from '../../../../test/support/passkeys.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../../test/support/service.ts';
import { STEP_MS } from '../../../../test/support/totp.ts';
import { createBrowser } from '../../../../test/support/upstream/sign-in.ts';
import { enrolUser } from '../../../../test/support/user-totp.ts';
import { markEmailVerified } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';

/** A server that does not respond: messages wait. */
const WITH_MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Example <accounts@example.org>' };
const SIGN_IN = '/sign-in/passkey';
const withoutPassword = sql('update users set password_hash = null where id = $1');
const inBody = (text: string) => text.slice(text.indexOf('<body'));

describeOnSqlite('pages with passkeys', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });
  const elsewhere = useService(engine, { environment: { PUBLIC_URL: 'https://192.0.2.1' } });
  const off = useService(engine, { environment: { PASSKEY_SIGN_IN: 'off' } });
  const withCodes = useService(engine, { environment: { ...WITH_CODES, ...WITH_PASSKEYS, ...WITH_MAIL } });

  /** A person with a passkey, and a browser that is at the address of passkeys. */
  async function open() {
    const { local, newAuthenticator } = atLocalhost(service);
    const person = await createPasskeyClient(local).newPerson(newAuthenticator());
    const browser = createBrowser(local);
    const { authenticator } = person;
    const send = async (changes?: ResponseChanges, path = SIGN_IN) => {
      const options = await browser.submit(`${SIGN_IN}/options`);
      return browser.submit(path, { credential: JSON.stringify(authenticator.get(options.body, changes)) });
    };
    return { ...person, browser, send };
  }

  test('the page to sign in offers passkeys in the address field and by a form that scripts show, and fetches from this service only', async () => {
    const { browser } = await open();
    const { text, headers } = await browser.get('/sign-in?lang=en&return_to=/device');
    assert.match(text, /autocomplete="username webauthn"/);
    const action = '/sign-in/passkey\\?return_to=%2Fdevice&amp;lang=en';
    assert.match(text, new RegExp(`<form class="passkey" method="post" action="${action}"[^>]* hidden>`));
    assert.match(text, /data-options-url="\/sign-in\/passkey\/options"/);
    assert.doesNotMatch(text, /no-passkeys/);
    assert.match(headers.get('content-security-policy')!, /; connect-src 'self'$/);
  });

  for (const [about, getService] of [
    ['127.0.0.1', () => service],
    ['a PUBLIC_URL with an IP address', () => elsewhere],
    ['a service without passkeys', () => off],
  ] as const)
    test(`the page to sign in offers no passkeys at ${about}, and no options`, async () => {
      const browser = createBrowser(getService());
      assert.doesNotMatch(inBody((await browser.get('/sign-in')).text), /passkey|webauthn/);
      assert.equal((await browser.submit(`${SIGN_IN}/options`)).status, 403);
    });

  test('a passkey signs in a browser and leads to where the person wanted to go', async () => {
    const { browser, send, id } = await open();
    const sent = await send({}, `${SIGN_IN}?return_to=/device`);
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/device'], sent.text);
    assert.equal(browser.hasSession(), true);
    assert.ok((await listEvents(service, id)).includes('session.created by user'));
  });

  test('a passkey that has not verified the person leads to the second step, if there is one', async () => {
    const { browser, send, ...person } = await open();
    await enrolUser(service, person, clock.now);
    clock.now += STEP_MS;
    const sent = await send({ flags: 0x01 });
    assert.match(sent.headers.get('location')!, /^\/sign-in\/second-factor\?step=\w{8}$/);
    assert.equal(browser.hasSession(), false);
    assert.equal((await send({ flags: 0x05 })).headers.get('location'), '/account');
    assert.equal(browser.hasSession(), true);
  });

  test('a passkey is accepted only in the browser whose options it has, within five minutes, and only as JSON', async () => {
    const { browser, authenticator } = await open();
    const other = createBrowser(atLocalhost(service).local);
    const getOptions = async () => (await browser.submit(`${SIGN_IN}/options`)).body;
    const credential = JSON.stringify(authenticator.get(await getOptions()));
    const late = JSON.stringify(authenticator.get(await getOptions()));
    const rejected = [
      await other.submit(SIGN_IN, { credential }),
      ...(await Promise.all(
        ['"x"', 'null', '[]', '{'].map((each) => browser.submit(SIGN_IN, { credential: each })),
      )),
    ];
    clock.now += 5 * MINUTE;
    rejected.push(await browser.submit(SIGN_IN, { credential: late }));
    for (const { status, text } of rejected) {
      assert.equal(status, 401);
      assert.match(text, /This passkey was not accepted/);
    }
    assert.deepEqual([browser.hasSession(), other.hasSession()], [false, false]);
  });

  test('the browser is told of a passkey that is not known, and of no other one that is rejected', async () => {
    const { send, passkey, token, password, authenticator } = await open();
    const unknown = `data-unknown="{&quot;rpId&quot;:&quot;localhost&quot;,&quot;credentialId&quot;:&quot;${authenticator.id}`;
    assert.equal((await send({ appended: 'x' })).text.includes('data-unknown'), false);
    const body = { current_password: password };
    await service.api.request('DELETE', `/api/v1/me/passkeys/${passkey.id}`, { token, body });
    assert.ok((await send()).text.includes(unknown));
  });

  test('the account lists passkeys with their times, and names the accepted ones completely', async () => {
    const { browser, send, authenticator } = await open();
    await send();
    const { text } = await browser.get('/account');
    const section = /<section class="panel" id="passkeys".*?<\/section>/s.exec(text)![0];
    assert.match(section, /<strong><bdi>Passkey<\/bdi><\/strong>/);
    assert.match(section, /Made on <time datetime.*? · [^<]*<time datetime/);
    const [, accepted] = /data-accepted="([^"]*)"/.exec(section)!;
    assert.deepEqual(JSON.parse(accepted!.replaceAll('&quot;', '"')), {
      rpId: 'localhost',
      userId: authenticator.state.handle,
      allAcceptedCredentialIds: [authenticator.id],
    });
    assert.match(section, /<p class="no-passkeys">Using and adding passkeys needs JavaScript/);
  });

  test('the account says where passkeys are, and names none as accepted there', async () => {
    const { send, browser: local } = await open();
    await send();
    const browser = createBrowser(service);
    for (const cookie of local.cookies) browser.cookies.set(...cookie);
    const { text } = await browser.get('/account');
    assert.ok(text.includes(`Passkeys do not work at this address, only at ${atLocalhost(service).origin}.`));
    assert.doesNotMatch(text, /data-accepted/);
  });

  test('the account adds a passkey after the proof, whose options are used up, renames it and removes it', async () => {
    const { browser, send, password } = await open();
    await send();
    const wrong = await browser.submit('/account/passkeys', { current_password: 'wrong password' });
    assert.equal(wrong.status, 400);
    assert.match((await browser.get('/account/passkeys/new')).text, /name="current_password"/);
    const begin = async () => {
      await browser.submit('/account/passkeys', { current_password: password });
      return readCreation(await browser.get('/account/passkeys/new'));
    };
    const add = (credential: object) =>
      browser.submit('/account/passkeys/add', { credential: JSON.stringify(credential) });
    const { newAuthenticator } = atLocalhost(service);
    const rejected = await add(newAuthenticator().create(await begin(), { flags: 0x01 }));
    assert.match(rejected.text, /This passkey was not accepted/);
    assert.match((await browser.get('/account/passkeys/new')).text, /name="current_password"/);
    const added = newAuthenticator();
    assert.equal((await add(added.create(await begin()))).headers.get('location'), '/account?done=saved');
    const list = async () => (await browser.get('/account')).text;
    const path = /\/account\/passkeys\/[\w-]+/g;
    const own = new Set((await list()).match(path)!.filter((each) => !each.endsWith('/new')));
    const last = [...own].at(-1)!;
    await browser.submit(`${last}/rename`, { passkey_name: ' My phone ' });
    assert.match(await list(), /<bdi>My phone<\/bdi>/);
    assert.match(
      (await browser.submit(`${last}/rename`, { passkey_name: ' ' })).text,
      /Enter a name of at most 100/,
    );
    await browser.submit(`${last}/remove`, { current_password: password });
    assert.doesNotMatch(await list(), /My phone/);
  });

  test('a security key without a name is called so in the language of the page', async () => {
    const { browser, send, password } = await open();
    await send();
    await browser.submit('/account/passkeys?lang=de', { current_password: password });
    const creation = readCreation(await browser.get('/account/passkeys/new?lang=de'));
    const { newAuthenticator } = atLocalhost(service);
    const credential = newAuthenticator().create(creation, { response: { transports: ['usb'] } });
    await browser.submit('/account/passkeys/add?lang=de', { credential: JSON.stringify(credential) });
    assert.match((await browser.get('/account?lang=de')).text, /<bdi>Sicherheitsschlüssel<\/bdi>/);
  });

  test('the last way to sign in is not removed, and the page says why', async () => {
    const { browser, send, id, passkey } = await open();
    await markEmailVerified(service, id);
    await service.database.transaction((tx) => tx.run(withoutPassword, id));
    await send();
    const { status, text } = await browser.submit(`/account/passkeys/${passkey.id}/remove`);
    assert.equal(status, 409);
    assert.match(text, /This is the last way to sign in/);
  });

  test('a person signs up with a passkey: the code from the mail creates the account, and no password is asked for', async () => {
    const browser = createBrowser(withCodes);
    const { name, email } = newUserData();
    const page = (await browser.get('/sign-up?return_to=/device')).text;
    const [, action] = /formaction="([^"]*)">Sign up with a passkey</.exec(page)!;
    const asked = await browser.submit(action!.replaceAll('&amp;', '&'), { name, email, password: '' });
    const [code] = await readMailedCodes(withCodes, email);
    const entered = await browser.submit(asked.headers.get('location')!, { mail_code: code! });
    const offer = entered.headers.get('location')!;
    assert.equal(offer, '/account/passkeys/new?return_to=%2Fdevice');
    const { text } = await browser.get(offer);
    assert.doesNotMatch(text, /current_password/);
    assert.match(text, /<a [^>]*href="\/device">Not now</);
    const begun = await browser.submit('/account/passkeys?return_to=%2Fdevice', {});
    const options = readCreation(await browser.get(begun.headers.get('location')!));
    const authenticator = createAuthenticator();
    const credential = JSON.stringify(authenticator.create(options));
    await browser.submit('/account/passkeys/add?return_to=%2Fdevice', { credential });
    const signedIn = await createPasskeyClient(withCodes).signIn({ authenticator });
    assert.equal(signedIn.status, 200, signedIn.text);
  });

  test('nobody signs up with a passkey where no code can be mailed, or at an address without passkeys', async () => {
    for (const each of [atLocalhost(service).local, elsewhere]) {
      const { text } = await createBrowser(each).get('/sign-up');
      assert.doesNotMatch(inBody(text), /passkey/);
    }
  });
});
