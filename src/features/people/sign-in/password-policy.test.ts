import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { createTestLink } from '../../../../test/support/processes/recovery.ts';
import { admin, newUserData, useService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { createLog } from '../../../lib/log/log.ts';
import { Problem } from '../../../problems/problem.ts';
import { createPasswordPolicy } from './password-policy.ts';

const owner = { name: 'Ada Lovelace', email: 'countess.ada@example.com' };
const TOO_COMMON = 'The given password is too common. Please choose a different password.';
const TOO_SHORT = 'The password field must be at least 15 characters.';

/** Returns the messages of the policy `nist`, or none. */
async function nistErrors(password: string): Promise<unknown> {
  const policy = createPasswordPolicy('nist', createLog('silent'));
  return policy.check(password, owner).then(
    () => [],
    (problem) => {
      assert.ok(problem instanceof Problem);
      return (problem.options.errors as { password: string[] }).password;
    },
  );
}

describe('the password policy nist', () => {
  const cases: [string, string[]][] = [
    ['correct horse battery', []],
    ['fourteen chars', [TOO_SHORT]],
    ['fifteen chars !', []],
    ['😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀', []],
    ['1qaz2wsx3edc4rfv', [TOO_COMMON]],
    ['1QAZ2wsx3EDC4rfv', [TOO_COMMON]],
    ['password', [TOO_SHORT, TOO_COMMON]],
    ['FrontdeskFrontdesk', [TOO_COMMON]],
    ['lovelace countess 1', [TOO_COMMON]],
    ['countess.ada-2026', [TOO_COMMON]],
    ['Ada Lovelace 1815!', [TOO_COMMON]],
    ['a d a lovelace ada', [TOO_COMMON]],
    ['front desk front desk', [TOO_COMMON]],
    ['countess.ada@example.com', [TOO_COMMON]],
    ['lovelace sings of meadows', []],
    ['ada 😀🎉🐙🦊🍕🚀🌈🎈🎻🍋🐝🌻', []],
  ];
  for (const [password, expected] of cases) {
    test(`the policy nist ${expected.length === 0 ? 'accepts' : 'rejects'} ${JSON.stringify(password)}`, async () => {
      assert.deepEqual(await nistErrors(password), expected);
    });
  }
});

describe('a service with PASSWORD_POLICY=nist', () => {
  const service = useService('sqlite', { environment: { PASSWORD_POLICY: 'nist' } });
  const named = () => ({ ...newUserData(), name: 'Wilhelmina Featherstone' });
  /** Each returns what sets a password of a user with this name. */
  const WAYS: Readonly<Record<string, () => Promise<(password: string) => Promise<ApiResponse>>>> = {
    'a registration': async () => {
      const person = named();
      return (password) => service.api.post('/api/register', { ...person, password });
    },
    'a password change': async () => {
      const { password: current_password, token } = await register(service, named());
      return (password) => service.api.put('/api/v1/me/password', { current_password, password }, { token });
    },
    'a password reset': async () => {
      const { password: _, ...person } = named();
      const user = await createUnclaimedUser(service, person);
      const link = await createTestLink(service, 'claim_account', { user });
      return (password) => service.api.post(`/api/v1/password-resets/${link}`, { password });
    },
    'a new account of the administrator': async () => {
      const person = named();
      return (password) => service.api.post('/api/v1/users', { ...person, password }, admin);
    },
    'a password that the administrator sets': async () => {
      const { password: _, ...person } = named();
      const { id } = await createUnclaimedUser(service, person);
      return (password) => service.api.put(`/api/v1/users/${id}/password`, { password }, admin);
    },
  };
  for (const [way, prepare] of Object.entries(WAYS))
    test(`the policy nist rejects a password made of the name of the user with 400 in ${way}, which can be repeated`, async () => {
      const send = await prepare();
      const { status, body } = await send('wilhelmina featherstone');
      assert.deepEqual([status, body.errors], [400, { password: [TOO_COMMON] }]);
      assert.ok((await send('paper lantern under the bridge')).status < 300);
    });
});

describe('a service with the default password policy', () => {
  const service = useService('sqlite');

  test('the default policy accepts a common password and logs the number of such passwords, but not the password', async () => {
    const person = { ...newUserData(), password: 'password1' };
    assert.equal((await service.api.post('/api/register', person)).status, 201);
    const line = service.log.find((entry) => 'weak_password_total' in entry);
    assert.equal(line?.weak_password_total, 1);
    assert.ok(!JSON.stringify(service.log).includes(person.password));
  });
});
