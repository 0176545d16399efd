import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manualClock } from '../../../../../test/support/limits.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingMail,
} from '../../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  useService,
  useSharedService,
} from '../../../../../test/support/service.ts';
import { insertLoggedInUser, register } from '../../../../../test/support/users.ts';
import { sql } from '../../../../database/database.ts';
import { createPasswords, type Passwords } from '../../../../lib/passwords/passwords.ts';
import { hashToken } from '../../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../../lib/time/clock.ts';
import { Problem } from '../../../../problems/problem.ts';
import { createSignInSessions } from '../../../sign-in/sessions/sessions.ts';
import { findUser } from '../../records/queries.ts';
import { eraseAccount } from '../erasure/erase-account.ts';
import type { LoginGuard } from '../login/login-guard.ts';
import { changeProfile } from '../profile/change-profile.ts';

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
    const { database } = service.service;
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
    assert.equal((await findUser(service.service.database, person.id))?.name, person.name);
  });

  test('an account that is disabled before its password is verified is not erased, and the password is not verified', async () => {
    const { person, deps, proof } = await prepare();
    const path = `/api/v1/users/${person.id}`;
    assert.equal(
      (
        await service.api.patch(
          path,
          { state: 'disabled' },
          { token: ADMIN_TOKEN, headers: { 'if-match': '*' } },
        )
      ).status,
      200,
    );
    const verify: Passwords['verify'] = () => assert.fail('verified');
    const erasure = eraseAccount({ ...deps, passwords: { ...passwords, verify } }, proof);
    await assert.rejects(erasure, (error) => error instanceof Problem && error.code === 'unauthorized');
    assert.equal((await service.api.get(path, { token: ADMIN_TOKEN })).status, 200);
  });
});

describeOnSqlite('an account without a password', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });

  /** Inserts an account whose token comes from a session that began this long ago. */
  async function insertWithSession(ageMs: number) {
    const { database } = service.service;
    const person = await insertLoggedInUser(database, clock.now);
    const sessions = createSignInSessions({ database, clock, publicUrl: '' });
    const user = (await findUser(database, person.id))!;
    const admitted = { user, amr: ['fed'], authenticatedAt: clock.now } as const;
    const { session } = await database.transaction((tx) => sessions.start(tx, admitted, {}));
    await database.transaction((tx) =>
      tx.run(sql('update tokens set session_id = $2 where hash = $1'), hashToken(person.token), session.id),
    );
    clock.now += ageMs;
    return person;
  }

  const setPassword = (token: string, body: object) =>
    service.api.put('/api/v1/me/password', body, { token });

  test('an account without a password is changed within ten minutes of the sign-in, and has a password then', async () => {
    const { token, email } = await insertWithSession(10 * MINUTE - 1);
    assert.equal((await setPassword(token, { password: NEW })).status, 200);
    assert.equal((await logIn(service, { email: email!, password: NEW })).status, 200);
    const missing = await setPassword(token, { password: NEW });
    assert.deepEqual([missing.status, Object.keys(missing.body.errors)], [400, ['current_password']]);
  });

  test('an account without a password is erased within ten minutes of the sign-in', async () => {
    const { token } = await insertWithSession(0);
    assert.equal((await service.api.delete('/api/v1/me', { token, body: {} })).status, 204);
  });

  test('an account without a password is not changed later, by a token without a session, or with any password', async () => {
    const { token } = await insertWithSession(10 * MINUTE);
    const without = await insertLoggedInUser(service.service.database, clock.now);
    for (const sent of [token, without.token]) {
      const { status, body } = await setPassword(sent, { password: NEW });
      assert.deepEqual([status, body.code], [403, 'recent_sign_in_required']);
    }
    const guessed = await setPassword(token, { current_password: NEW, password: NEW });
    assert.deepEqual([guessed.status, Object.keys(guessed.body.errors)], [400, ['current_password']]);
  });

  test('an account without a password rejects logins with any password, and gets one by a reset', async () => {
    const { id, email } = await insertLoggedInUser(service.service.database, clock.now);
    assert.equal((await logIn(service, { email: email!, password: NEW })).code, 'invalid_login');
    assert.deepEqual(await listEvents(service, id), ['login.failed (no_password) by anonymous']);
    const link = await createTestLink(service, 'reset_password', { user: { id, email }, now: clock.now });
    assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, { password: NEW })).status, 200);
    assert.equal((await logIn(service, { email: email!, password: NEW })).status, 200);
  });
});
