import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logIn, waitingMail } from '../../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useSharedService } from '../../../../../test/support/service.ts';
import { register } from '../../../../../test/support/users.ts';
import { createPasswords, type Passwords } from '../../../../lib/passwords/passwords.ts';
import { Problem } from '../../../../problems/problem.ts';
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
