import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  postForm,
  signIn,
  type TestApplication,
} from '../../../../test/support/applications.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { routes } from '../../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import {
  admin,
  editor,
  newUserData,
  useService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { addProvider, LOOPBACK_ALLOWED } from '../../../../test/support/upstream/sign-in.ts';
import { insertLoggedInUser, register } from '../../../../test/support/users.ts';
import { RECENT_SIGN_IN_MINUTES } from '../../../callers/admin-scopes.ts';
import { createPasswords, type Passwords } from '../../../lib/passwords/passwords.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { findUser } from '../../users/records/queries.ts';
import { changeProfile } from '../accounts/change-profile.ts';
import { eraseAccount } from '../personal-data/erase-user.ts';
import type { LoginGuard } from './login-guard.ts';

const NEW = 'paper lantern under the bridge';

describeOnSqlite('requests with a password that is changed after it was verified', (engine) => {
  const service = useSharedService(engine);
  let passwords: Passwords;
  before(() => {
    const limits = { threads: 1, queueLimit: 100, maxWaitMs: 60_000 };
    passwords = createPasswords({ ...limits, oldestPrefix: () => '', pepper: null });
  });
  after(() => passwords.close());

  /** Registers a person whose password is changed by another request between its verification and the transaction. */
  async function prepare() {
    const { database } = service;
    const person = await register(service);
    let isChanged = false;
    const verify: Passwords['verify'] = async (...input) => {
      const verification = await passwords.verify(...input);
      if (!isChanged) {
        isChanged = true;
        const change = { current_password: person.password, password: NEW };
        const { token } = person;
        assert.equal((await service.api.put('/api/v1/me/password', change, { token })).status, 200);
      }
      return verification;
    };
    const loginGuard: LoginGuard = {
      run: (_, work) => work({ network: 'a network', firstLoginAt: null }),
      resetFailures: async () => {},
      hashNetwork: () => '',
      findWait: async () => 0,
      unlock: async () => {},
    };
    const clock = () => Date.now();
    const deps = { database, clock, loginGuard, maxErasureWaitMs: null, passwords: { ...passwords, verify } };
    const user = (await findUser(database, person.id))!;
    const proof = { user, currentPassword: person.password, signedInAt: null, clientIp: '198.18.0.1' };
    return { person, deps, proof };
  }

  const isWrongPassword = (error: unknown) => error instanceof Problem && error.code === 'validation_failed';

  test('a password that is changed after it was verified does not erase the account', async () => {
    const { person, deps, proof } = await prepare();
    await assert.rejects(eraseAccount(deps, proof), isWrongPassword);
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
  });

  test('a password that is changed after it was verified does not request another email', async () => {
    const { person, deps, proof } = await prepare();
    const { email } = newUserData();
    const change = {
      ...proof,
      changes: { name: 'Mallory', email, current_password: proof.currentPassword },
      redirectTo: null,
      isExpected: () => true,
      countLogin: async () => {},
    };
    await assert.rejects(changeProfile(deps, change), isWrongPassword);
    assert.deepEqual(await waitingMail(service, email), []);
    assert.equal((await findUser(service.database, person.id))?.name, person.name);
  });

  test('an account that is disabled before its password is verified is not erased, and the password is not verified', async () => {
    const { person, deps, proof } = await prepare();
    const path = `/api/v1/users/${person.id}`;
    assert.equal((await service.api.patch(path, { state: 'disabled' }, editor)).status, 200);
    const verify: Passwords['verify'] = () => assert.fail('verified');
    const erasure = eraseAccount({ ...deps, passwords: { ...passwords, verify } }, proof);
    await assert.rejects(erasure, (error) => error instanceof Problem && error.code === 'unauthorized');
    assert.equal((await service.api.get(path, admin)).status, 200);
  });
});

/** What a proof allows; each route reads the members that it knows. */
const toChanges = () => ({ email: newUserData().email, password: NEW, code: '123456' });

const proofRoutes = (access: string) =>
  routes.filter((route) => route.recentSignIn === 'without password' && route.access === access);

describeOnSqlite('an account without a password', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: {
      ...LOOPBACK_ALLOWED,
      ...{ PUBLIC_URL: 'http://localhost', RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off' },
    },
  });
  let application: TestApplication;
  let providerId = '';
  before(async () => {
    application = await createApplication(service, { scopes: ['self:read', 'self:write', 'tokens:manage'] });
    providerId = (await addProvider(service, { url: 'http://127.0.0.1:49999' })).id;
  });

  const post = async (path: string, body: object, token: string) => {
    const response = await service.api.post(path, body, { token });
    assert.equal(response.status, 201, response.text);
    return response.body.data.access_token as string;
  };

  /** Each returns a token of a person who has signed in now. */
  const TOKENS: Readonly<Record<string, () => Promise<string>>> = {
    'a login': async () => (await insertLoggedInUser(service.database, clock.now)).token,
    async 'an application'() {
      const { headers } = await signIn(service, { clock });
      const scope = 'self:read self:write tokens:manage';
      const { result } = await authorize(service, authorization(application, { scope }), headers);
      return (await exchange(service, application, { code: result.code })).body.access_token;
    },
    'a person': async () =>
      post('/api/v1/tokens', { name: 'named', scopes: ['self:write'] }, await TOKENS['an application']!()),
    async 'a rotation'() {
      const token = await TOKENS['an application']!();
      const { id } = (await service.api.get('/api/v1/me/token', { token })).body.data;
      return post(`/api/v1/tokens/${id}/rotate`, {}, token);
    },
  };

  for (const [source, create] of Object.entries(TOKENS))
    test(`no route accepts a token of ${source} as the proof of a recent sign-in`, async () => {
      const token = await create();
      assert.equal(proofRoutes('user').length, 9);
      for (const { method, path } of proofRoutes('user')) {
        const url = path.replace('{id}', newId());
        const { status, body } = await service.api.request(method, url, { body: toChanges(), token });
        assert.deepEqual([status, body.code], [403, 'recent_sign_in_required'], `${method} ${path}`);
      }
      const guess = { current_password: NEW, password: NEW };
      const guessed = await service.api.put('/api/v1/me/password', guess, { token });
      assert.deepEqual([guessed.status, Object.keys(guessed.body.errors)], [400, ['current_password']]);
    });

  test('a token does not move to the session of a new sign-in, but ends with the one that it comes from', async () => {
    const { headers, user } = await signIn(service, { clock });
    const { result } = await authorize(service, authorization(application), headers);
    const { access_token: token } = (await exchange(service, application, { code: result.code })).body;
    await signIn(service, { clock, userId: user.id, headers });
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
  });

  /** Sends the form of a page in a session that began this long ago. */
  const submit = async (path: string, ageMs: number) => {
    const { headers, user } = await signIn(service, { clock });
    clock.now += ageMs;
    const url = path.replace('{id}', providerId);
    const own = { ...headers, 'sec-fetch-site': 'same-origin' };
    return { user, ...(await postForm(service, url, toChanges(), own)) };
  };

  for (const { path } of proofRoutes('public'))
    test(`POST ${path} with the cookie of the pages needs a sign-in within ${RECENT_SIGN_IN_MINUTES} minutes`, async () => {
      const late = await submit(path, RECENT_SIGN_IN_MINUTES * MINUTE);
      const text = `within the last ${RECENT_SIGN_IN_MINUTES} minutes`;
      assert.deepEqual([late.status, late.text.includes(text)], [403, true], late.text);
      const recent = await submit(path, RECENT_SIGN_IN_MINUTES * MINUTE - 1);
      assert.doesNotMatch(recent.text, /Sign in again first/);
    });

  test('an account without a password gets its first one on the page, and needs it from then on', async () => {
    const { status, user } = await submit('/account/password', 0);
    assert.equal(status, 303);
    const login = await logIn(service, { email: user.email!, password: NEW });
    assert.equal(login.status, 200);
    const missing = await service.api.put('/api/v1/me/password', { password: NEW }, { token: login.token });
    assert.deepEqual([missing.status, Object.keys(missing.body.errors)], [400, ['current_password']]);
  });

  test('an account without a password rejects logins with any password, and gets one by a reset', async () => {
    const { id, email } = await insertLoggedInUser(service.database, clock.now);
    assert.equal((await logIn(service, { email: email!, password: NEW })).code, 'invalid_login');
    assert.deepEqual(await listEvents(service, id), ['login.failed (no_password) by anonymous']);
    const link = await createTestLink(service, 'reset_password', { user: { id, email }, now: clock.now });
    assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, { password: NEW })).status, 200);
    assert.equal((await logIn(service, { email: email!, password: NEW })).status, 200);
  });
});
