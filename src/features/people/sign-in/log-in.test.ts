import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable } from '../../../../test/support/api.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';

const INVALID = { error: 'Invalid login details', code: 'invalid_login', message: 'Invalid login details' };

describeOnSqlite('POST /api/login', (engine) => {
  const service = useSharedService(engine);
  const logIn = (email: unknown, password: unknown) => service.api.post('/api/login', { email, password });

  test('POST /api/login returns the same 401 for an unknown email, a wrong password and accounts that cannot log in', async () => {
    const person = await register(service);
    const disabled = await register(service);
    await service.api.patch(`/api/v1/users/${disabled.id}`, { state: 'disabled' }, editor);
    const claimable = await createUnclaimedUser(service);
    const anonymousRecord = newUserData();
    await service.api.post('/api/v1/users', { email: anonymousRecord.email });
    const unknown = await logIn(newUserData().email, person.password);
    assert.equal(unknown.status, 401);
    assert.deepEqual(unknown.body, INVALID);
    assert.equal(unknown.headers.get('www-authenticate'), 'Bearer realm="api"');
    const rejected: readonly [string, string][] = [
      [person.email, `${person.password}x`],
      [person.email, person.password.toUpperCase()],
      [person.email, `${person.password} `],
      [disabled.email, disabled.password],
      [claimable.email, person.password],
      [anonymousRecord.email, person.password],
      ['no address', 'x'],
      [`${'x'.repeat(300)}@example.com`, person.password],
    ];
    for (const [email, password] of rejected) {
      assert.deepEqual(comparable(await logIn(email, password)), comparable(unknown), email);
    }
  });

  test('POST /api/login accepts the email in any case and with surrounding spaces', async () => {
    const { email, password } = await register(service);
    for (const written of [email.toUpperCase(), ` ${email}\t`]) {
      assert.equal((await logIn(written, password)).status, 200);
    }
  });

  test('POST /api/login rejects a lone surrogate in the password, which would equal U+FFFD in UTF-8', async () => {
    const { email } = await register(service, { ...newUserData(), password: 'password\ufffd' });
    assert.equal((await logIn(email, 'password\ud83d')).status, 400);
    assert.equal((await logIn(email, 'password\ufffd')).status, 200);
  });
});
