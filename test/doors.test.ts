import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LINK_PATHS } from '../src/features/mail/links/links.ts';
import { listLiveSessions } from '../src/features/people/sign-in/queries.ts';
import { issueToken } from '../src/features/people/tokens/issue-token.ts';
import { listLiveTokens } from '../src/features/people/tokens/queries.ts';
import type { ApiResponse } from './support/api.ts';
import { authorization, createApplication, exchange, readQuery } from './support/applications.ts';
import { beginDevice, pollDevice } from './support/devices.ts';
import { manualClock } from './support/limits.ts';
import { readMailedCodes, requestMailedCode, sendCode, WITH_CODES } from './support/mailed-codes.ts';
import {
  createAuthenticator,
  createPasskeyClient,
  type ResponseChanges,
  WITH_PASSKEYS,
} from './support/passkeys.ts';
import { createTestLink, waitingMail } from './support/processes/recovery.ts';
import { describeOnSqlite } from './support/runner/engines.ts';
import { newUserData, useService } from './support/service.ts';
import { codeAt, STEP_MS } from './support/totp.ts';
import { createBrowser, LOOPBACK_ALLOWED, useProvider } from './support/upstream/sign-in.ts';
import { ANSWER_PATH, enrolUser } from './support/user-totp.ts';
import { markEmailVerified } from './support/users.ts';

/** The flags of an authenticator data: somebody is there, and was not verified (WebAuthn Level 3, section 6.1). */
const PRESENT = 0x01;
const PASSWORD = 'paper lantern under the bridge';

/** The rows of the table of doors: what each gives to a user without a second factor, and to one who has it. */
const ROWS = readFileSync('docs/security.md', 'utf8')
  .split('### Doors\n')[1]!
  .split('\n\n')
  .find((paragraph) => paragraph.startsWith('|'))!
  .trim()
  .split('\n')
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | ') as [door: string, without: string, withFactor: string]);

describeOnSqlite('the doors of docs/security.md', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: { ...LOOPBACK_ALLOWED, ...WITH_CODES, ...WITH_PASSKEYS },
  });
  const { database } = service;
  const passkeys = createPasskeyClient(service);
  const { issuer, provider } = useProvider(service);

  /** Creates an account on the page, in the browser of the person. */
  async function newPerson() {
    // Providers have the time of the machine.
    clock.now = Date.now();
    const browser = createBrowser(service);
    const user = newUserData();
    await browser.submit('/sign-up', user);
    const id = (await waitingMail(service, user.email))[0]!.user_id!;
    return { ...user, id, browser };
  }
  type Person = Awaited<ReturnType<typeof newPerson>>;
  const toReset = ({ id, email }: Person) =>
    createTestLink(service, 'reset_password', { user: { id, email }, now: clock() });
  const signIn = ({ browser, email, password }: Person, query = '') =>
    browser.submit(`/sign-in${query}`, { email, current_password: password });

  /** Adds a passkey with the password, and signs in with it. */
  async function signInByPasskey({ id, password }: Person, changes: ResponseChanges) {
    const lifetimeSeconds = 60;
    const { accessToken: token } = await database.transaction((tx) =>
      issueToken(tx, { userId: id, now: clock(), lifetimeSeconds }),
    );
    const authenticator = createAuthenticator();
    const options = await passkeys.begin({ token, password });
    assert.equal((await passkeys.add(token, authenticator.create(options))).status, 201);
    await service.api.post('/api/logout', {}, { token });
    return passkeys.signIn({ authenticator }, changes);
  }

  /** Presents the right proof at each door, but none of the second factor. */
  const DOORS: Readonly<Record<string, (person: Person) => Promise<ApiResponse>>> = {
    'password, API': ({ email, password }) => service.api.post('/api/login', { email, password }),
    'password, page': (person) => signIn(person),
    'mailed code, API': async ({ email }) => {
      const { challenge, code } = await requestMailedCode(service, email);
      return sendCode(service, challenge, { code });
    },
    'mailed code, page': async ({ browser, email }) => {
      const { headers } = await browser.submit('/sign-in/code/mail', { email });
      const [code] = await readMailedCodes(service, email);
      return browser.submit(headers.get('location')!, { mail_code: code! });
    },
    'identity provider, page': async (person) => {
      const { browser, email, id, password } = person;
      const identity = { sub: email, email, email_verified: true };
      await markEmailVerified(service, id);
      await browser.signIn(issuer, provider.id, identity);
      return browser.submit('/sign-in/identity/password', { current_password: password });
    },
    'link that resets the password, API': async (person) =>
      service.api.post(`/api/v1/password-resets/${await toReset(person)}`, { password: PASSWORD }),
    'link that resets the password, page': async (person) =>
      person.browser.submit(LINK_PATHS.reset_password + (await toReset(person)), { password: PASSWORD }),
    'link that verifies the email, API': async ({ id, email }) => {
      const link = await createTestLink(service, 'verify_email', { user: { id, email }, now: clock() });
      return service.api.post(`/api/v1/email-verifications/${link}`);
    },
    'link that verifies the email, page': async ({ browser, id, email }) => {
      const link = await createTestLink(service, 'verify_email', { user: { id, email }, now: clock() });
      return browser.submit(LINK_PATHS.verify_email + link);
    },
    'passkey that verifies the person, API': (person) => signInByPasskey(person, {}),
    'passkey that does not, API': (person) => signInByPasskey(person, { flags: PRESENT }),
    'device code, page': async (person) => {
      const application = await createApplication(service, { kind: 'public', device: true });
      const { device_code, verification_uri_complete: uri } = await beginDevice(service, application);
      const { pathname, searchParams } = new URL(uri);
      const path = `${pathname}/confirm?${searchParams}`;
      const sent = await signIn(person, `?${new URLSearchParams({ return_to: path })}`);
      await person.browser.submit('/device/allow', { user_code: searchParams.get('user_code')! });
      await pollDevice(service, application, device_code);
      return sent;
    },
    'application, page': async (person) => {
      const application = await createApplication(service);
      const path = `/oauth/authorize?${authorization(application)}`;
      const sent = await signIn(person, `?${new URLSearchParams({ return_to: path })}`);
      const { code } = readQuery((await person.browser.get(path)).headers.get('location')!);
      if (code !== undefined) assert.equal((await exchange(service, application, { code })).status, 200);
      return sent;
    },
  };

  /** Returns what the person has: tokens, and sessions with their methods. */
  async function list({ id }: Person) {
    const tokens = await listLiveTokens(database, id, clock());
    const sessions = await listLiveSessions(database, id, clock());
    const methods = sessions.map(({ amr }) => `session (${amr})`);
    return [...tokens.map(() => 'token'), ...methods].toSorted().toReversed();
  }

  /** Sends a code of the app to where the response asks for it, if it does. */
  async function sendFactor({ browser }: Person, response: ApiResponse, code: string): Promise<boolean> {
    const { challenge } = response.status === 403 ? response.body : {};
    const step = response.headers.get('location') ?? '';
    const isPage = step.startsWith('/sign-in/second-factor?');
    if (challenge !== undefined) await service.api.post(ANSWER_PATH, { challenge, code });
    if (isPage) await browser.submit(step, { code });
    return challenge !== undefined || isPage;
  }

  test('every door of the table is tried, and every one that is tried is in the table', () => {
    assert.deepEqual(ROWS.map(([door]) => door).toSorted(), Object.keys(DOORS).toSorted());
  });

  for (const [door, without, withFactor] of ROWS) {
    test(`${door} gives ${without} to a user without a second factor`, async () => {
      const person = await newPerson();
      await DOORS[door]!(person);
      assert.equal((await list(person)).join(' and ') || 'nothing', without);
    });

    const isRequired = withFactor !== 'token';
    test(`${door} gives ${isRequired ? 'neither token nor session without' : `${without} with its own proof of`} the second factor of a user who has it`, async () => {
      const person = await newPerson();
      const { body } = await service.api.post('/api/login', person);
      const token = body.access_token as string;
      const { appSecret } = await enrolUser(service, { ...person, token }, clock());
      await service.api.post('/api/logout', {}, { token });
      clock.now += STEP_MS;
      assert.deepEqual(await list(person), []);
      const response = await DOORS[door]!(person);
      assert.ok(response.status < 500 && response.status !== 404, response.text);
      if (!isRequired) return assert.equal((await list(person)).join(' and '), withFactor);
      assert.deepEqual(await list(person), [], 'before the second factor');
      const isAsked = await sendFactor(person, response, codeAt(appSecret, clock()));
      assert.equal(isAsked ? 'asks for it' : 'nothing', withFactor);
      assert.equal((await list(person)).length, isAsked ? 1 : 0);
    });
  }
});
