import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../../test/support/limits.ts';
import { listEvents, waitingKinds } from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS, wrongCodeAt } from '../../../../test/support/totp.ts';
import { enrolUser, registerWithTotp, TOTP_PATH } from '../../../../test/support/user-totp.ts';
import { markEmailVerified, register } from '../../../../test/support/users.ts';

describeOnSqlite('the second factor of a user', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });
  const nextCode = (secret: string) => {
    clock.now += STEP_MS;
    return codeAt(secret, clock.now);
  };
  const getRecord = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, admin)).body.data;

  test('a user adds an app with the password and a code, which is in the record, an event and a notice', async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id, clock.now);
    const { version, totp_enabled_at } = await getRecord(person.id);
    assert.equal(totp_enabled_at, null);
    const { uri, recoveryCodes } = await enrolUser(service, person, clock.now);
    assert.match(uri, /^otpauth:\/\/totp\//);
    assert.ok(uri.includes(encodeURIComponent(person.email)));
    assert.equal(new Set(recoveryCodes).size, 10);
    const record = await getRecord(person.id);
    assert.equal(record.totp_enabled_at, new Date(clock.now).toISOString());
    assert.equal(record.version, version + 1);
    assert.ok((await listEvents(service, person.id)).includes('totp.enabled by user'));
    assert.ok((await waitingKinds(service, person.email)).includes('totp_enabled'));
    assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 200);
  });

  test('an app is not added with a wrong or missing password, or twice', async () => {
    const { token, password } = await registerWithTotp(service, clock.now);
    const begin = (body: object) => service.api.post(TOTP_PATH, body, { token });
    for (const body of [{}, { current_password: 'wrong password' }]) {
      const { status, body: response } = await begin(body);
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(response.errors), ['current_password']);
    }
    const again = await begin({ current_password: password });
    assert.deepEqual([again.status, again.body.code], [409, 'totp_already_enabled']);
  });

  test('an app is not confirmed with a wrong code, and no code is demanded then', async () => {
    const { token, email, password } = await register(service);
    const confirm = (code: string) => service.api.post(`${TOTP_PATH}/confirm`, { code }, { token });
    assert.equal((await confirm('123456')).status, 400);
    const { body } = await service.api.post(TOTP_PATH, { current_password: password }, { token });
    const { status, body: rejected } = await confirm(wrongCodeAt(body.data.secret, clock.now));
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(rejected.errors), ['code']);
    assert.equal((await service.api.post('/api/login', { email, password })).status, 200);
  });

  test('a second factor is switched off with the password and an unused code, and gone with its recovery codes', async () => {
    const person = await registerWithTotp(service, clock.now);
    const { id, email, password, token, appSecret, recoveryCodes } = person;
    await markEmailVerified(service, id, clock.now);
    const disable = (body: object) => service.api.delete(TOTP_PATH, { token, body });
    const used = codeAt(appSecret, clock.now);
    for (const [body, member] of [
      [{ current_password: password, code: used }, 'code'],
      [{ current_password: 'wrong password', code: recoveryCodes[0] }, 'current_password'],
      [{ code: recoveryCodes[0] }, 'current_password'],
      [{ current_password: password }, 'code'],
    ] as const) {
      const { status, body: rejected } = await disable(body);
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(rejected.errors), [member]);
    }
    const right = { current_password: password, code: recoveryCodes[0] };
    assert.equal((await disable(right)).status, 204);
    assert.equal((await disable(right)).body.code, 'totp_not_enabled');
    assert.equal((await service.api.post('/api/login', { email, password })).status, 200);
    const events = await listEvents(service, id);
    assert.ok(events.includes('totp.disabled by user'), events.join());
    assert.deepEqual((await waitingKinds(service, email)).slice(-2), ['recovery_code_used', 'totp_disabled']);
    // The earlier codes are those of no app now.
    clock.now += STEP_MS;
    await enrolUser(service, person, clock.now);
    assert.equal((await disable({ ...right, code: recoveryCodes[1] })).status, 400);
  });

  test('new recovery codes replace those before', async () => {
    const { id, email, password, token, appSecret, recoveryCodes } = await registerWithTotp(
      service,
      clock.now,
    );
    const path = `${TOTP_PATH}/recovery-codes`;
    const body = { current_password: password, code: nextCode(appSecret) };
    const renewed = await service.api.post(path, body, { token });
    assert.equal(renewed.status, 200);
    assert.equal(renewed.headers.get('cache-control'), 'no-store');
    const logIn = (code: string) => service.api.post('/api/login', { email, password, code });
    assert.equal((await logIn(recoveryCodes[0]!)).status, 401);
    assert.equal((await logIn(renewed.body.data.recovery_codes[0])).status, 200);
    assert.ok((await listEvents(service, id)).includes('totp.recovery_codes_replaced by user'));
  });

  test('the administrator removes a second factor, after which the password logs in', async () => {
    const { id, email, password } = await registerWithTotp(service, clock.now);
    await markEmailVerified(service, id, clock.now);
    const remove = () => service.api.delete(`/api/v1/users/${id}/totp`, admin);
    for (const _ of [1, 2]) assert.equal((await remove()).status, 204);
    assert.equal((await getRecord(id)).totp_enabled_at, null);
    assert.equal((await service.api.post('/api/login', { email, password })).status, 200);
    const removals = (await listEvents(service, id)).filter((event) => event.startsWith('totp.disabled'));
    assert.deepEqual(removals, ['totp.disabled by administrator']);
    assert.ok((await waitingKinds(service, email)).includes('totp_disabled'));
  });
});
