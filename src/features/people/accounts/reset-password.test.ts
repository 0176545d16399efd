import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingKinds,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';

const NEW = 'paper lantern under the bridge';
const NOT_FOUND = { error: 'The link is invalid or has expired', code: 'link_not_found' };

describeOnEachEngine('POST /api/v1/password-resets/{token}', (engine) => {
  const service = useSharedService(engine);
  const reset = (token: string, password: unknown = NEW) =>
    service.api.post(`/api/v1/password-resets/${token}`, { password });
  const createResetLink = (user: { id: string; email: string }, now?: number) =>
    createTestLink(service, 'reset_password', now === undefined ? { user } : { user, now });
  const getRecord = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, editor)).body.data;
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;

  test('a password reset sets the password, once, and verifies the email', async () => {
    const person = await register(service);
    const link = await createResetLink(person);
    const { status, body } = await reset(link);
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Password set' });
    assert.equal((await logIn(service, person)).status, 401);
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
    const again = await reset(link, `${NEW}, again`);
    assert.equal(again.status, 404);
    assert.deepEqual(again.body, NOT_FOUND);
    const record = await getRecord(person.id);
    assert.equal(record.version, 2);
    assert.equal(record.email_verified_at, record.updated_at);
    assert.notEqual(record.email_verified_at, null);
  });

  test('a password reset keeps the version of a record whose email is verified already', async () => {
    const person = await register(service);
    for (const password of [NEW, `${NEW}, again`]) {
      assert.equal((await reset(await createResetLink(person), password)).status, 200);
      assert.equal((await getRecord(person.id)).version, 2);
    }
  });

  test('a password reset revokes every token and every other link, records the event and queues a notice', async () => {
    const person = await register(service);
    const tokens = [person.token, (await logIn(service, person)).token];
    const [link, other] = [await createResetLink(person), await createResetLink(person)];
    await service.api.post('/api/v1/password-resets', { email: person.email });
    assert.equal((await reset(link)).status, 200);
    for (const token of tokens) assert.equal(await isAlive(token), false);
    assert.deepEqual((await reset(other)).body, NOT_FOUND);
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email', 'password_changed']);
    const events = await listEvents(service, person.id);
    assert.deepEqual(events, ['user.created by user', 'login.succeeded by user', 'password.reset by user']);
  });

  test('a password reset does not use the link up when the password is rejected', async () => {
    const person = await register(service);
    const link = await createResetLink(person);
    const { status, body } = await reset(link, '1234567');
    assert.equal(status, 400);
    assert.deepEqual(body.errors, { password: ['The password field must be at least 8 characters.'] });
    assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, {})).status, 400);
    assert.equal((await reset(link)).status, 200);
  });

  test('a password reset rejects unknown and malformed links, and links for other steps, with 404', async () => {
    const person = await register(service);
    const verify = await createTestLink(service, 'verify_email', { user: person });
    const valid = await createResetLink(person);
    const tokens = ['x', 'A'.repeat(43), valid.slice(1), `${valid}A`, `${valid}%00`, person.token, verify];
    for (const token of tokens) {
      const { status, body } = await reset(token);
      assert.equal(status, 404, token);
      assert.deepEqual(body, NOT_FOUND);
    }
    const { status } = await service.api.post(`/api/v1/email-verifications/${verify}`);
    assert.equal(status, 200, 'the link for the other step is still valid');
  });

  test('one of two concurrent password resets with the same link succeeds', async () => {
    const person = await register(service);
    const link = await createResetLink(person);
    const passwords = [NEW, `${NEW}, again`];
    const responses = await Promise.all(passwords.map((password) => reset(link, password)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 404]);
    const winner = responses.findIndex(({ status }) => status === 200);
    assert.equal((await logIn(service, { ...person, password: passwords[winner]! })).status, 200);
  });

  test('either a password reset or a concurrent password change succeeds', async () => {
    const person = await register(service);
    const link = await createResetLink(person);
    const change = { current_password: person.password, password: `${NEW}, again` };
    const [byLink, byPassword] = await Promise.all([
      reset(link),
      service.api.put('/api/v1/me/password', change, { token: person.token }),
    ]);
    const statuses = [byLink.status, byPassword.status];
    assert.ok(statuses.includes(200));
    // The change re-reads the password if the reset was faster: then the current password is wrong.
    assert.ok(['200,400', '200,401', '404,200'].includes(statuses.join()), statuses.join());
    const password = byLink.status === 200 ? NEW : change.password;
    assert.equal((await logIn(service, { ...person, password })).status, 200);
  });

  test('a password reset rejects the link of a disabled account like an unknown one, and leaves it disabled', async () => {
    const person = await register(service);
    await service.api.patch(`/api/v1/users/${person.id}`, { state: 'disabled' }, editor);
    const link = await createResetLink(person);
    const { status, body } = await reset(link);
    assert.equal(status, 404);
    assert.deepEqual(body, NOT_FOUND);
    const { state, version } = await getRecord(person.id);
    assert.deepEqual({ state, version }, { state: 'disabled', version: 2 });
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 401);
  });

  test('a password reset rejects a link that was sent to an earlier email of the user', async () => {
    const person = await register(service);
    await service.api.patch(`/api/v1/users/${person.id}`, { email: newUserData().email }, editor);
    assert.deepEqual((await reset(await createResetLink(person))).body, NOT_FOUND);
  });

  test('a password reset activates an account that the administrator created without a password, once', async () => {
    const account = await createUnclaimedUser(service);
    const link = await createTestLink(service, 'claim_account', { user: account });
    const spare = await createTestLink(service, 'claim_account', { user: account });
    assert.equal((await reset(link)).status, 200);
    const { state, version, email_verified_at } = await getRecord(account.id);
    assert.deepEqual({ state, version }, { state: 'active', version: 2 });
    assert.notEqual(email_verified_at, null);
    assert.equal((await logIn(service, { email: account.email, password: NEW })).status, 200);
    for (const token of [link, spare]) assert.deepEqual((await reset(token)).body, NOT_FOUND);
    const later = await createTestLink(service, 'claim_account', { user: account });
    assert.deepEqual((await reset(later)).body, NOT_FOUND, 'the account is claimed');
    assert.deepEqual(await waitingKinds(service, account.email), ['password_changed']);
    const events = ['user.created by administrator', 'user.claimed by user', 'login.succeeded by user'];
    assert.deepEqual(await listEvents(service, account.id), events);
  });
});
