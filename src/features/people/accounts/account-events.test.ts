/** Events and messages that registration, login and the administrator cause, and logins that need a verified email. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  editor,
  newUserData,
  useService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { createUnclaimedUser, markEmailVerified, register } from '../../../../test/support/users.ts';
import { DAY, MINUTE } from '../../../lib/time.ts';
import { countFailedLogins } from '../../activity/queries.ts';

const withKey = (key: string, token?: string) => ({
  headers: { 'idempotency-key': key },
  ...(token === undefined ? {} : { token }),
});

describeOnSqlite('messages and events of registrations and changes', (engine) => {
  const service = useSharedService(engine);

  test('registration queues one message to verify the email, also when the request is repeated', async () => {
    const person = newUserData();
    for (const status of [201, 201]) {
      const response = await service.api.post('/api/register', person, withKey(person.email));
      assert.equal(response.status, status);
    }
    assert.equal((await service.api.post('/api/register', person)).status, 409);
    const login = await service.api.post('/api/login', person);
    const { id } = (await service.api.get('/api/v1/me', { token: login.body.access_token })).body.data;
    const expected = [{ kind: 'verify_email', user_id: id, data: '{}' }];
    assert.deepEqual(await waitingMail(service, person.email), expected);
    assert.deepEqual(await listEvents(service, id), ['user.created by user', 'login.succeeded by user']);
  });

  test('an account without a password that the administrator creates queues one message to claim it', async () => {
    const { name, email } = newUserData();
    const create = () => service.api.post('/api/v1/users', { name, email }, withKey(email, ADMIN_TOKEN));
    const { id } = (await create()).body.data;
    assert.equal((await create()).status, 201);
    const expected = [{ kind: 'claim_account', user_id: id, data: '{}' }];
    assert.deepEqual(await waitingMail(service, email), expected);
    assert.deepEqual(await listEvents(service, id), ['user.created by administrator']);
  });

  test('no message is queued for an account with a password, a record of an anonymous caller, or a 409', async () => {
    const { name, email, password } = newUserData();
    const { body } = await service.api.post('/api/v1/users', { name, email, password }, admin);
    assert.deepEqual(await listEvents(service, body.data.id), ['user.created by administrator']);
    const anonymous = newUserData().email;
    assert.equal((await service.api.post('/api/v1/users', { email: anonymous })).status, 201);
    const taken = (await createUnclaimedUser(service)).email;
    assert.equal((await service.api.post('/api/v1/users', { name, email: taken }, admin)).status, 409);
    for (const address of [email, anonymous]) assert.deepEqual(await waitingMail(service, address), []);
    assert.equal((await waitingMail(service, taken)).length, 1);
  });

  const change = async (id: string, changes: object) => {
    const request = editor;
    assert.equal((await service.api.patch(`/api/v1/users/${id}`, changes, request)).status, 200);
  };
  const notices = async (email: string) =>
    (await waitingMail(service, email)).filter(({ kind }) => kind === 'email_changed');

  test('an email change by the administrator is recorded, and the earlier address gets a notice of the new one', async () => {
    const { id, email } = await register(service);
    const newEmail = newUserData().email;
    await change(id, { email: newEmail, level: 'gold' });
    const data = JSON.stringify({ new_email: newEmail });
    assert.deepEqual(await notices(email), [{ kind: 'email_changed', user_id: id, data }]);
    assert.deepEqual(await listEvents(service, id), [
      'user.created by user',
      'user.updated by administrator',
      'email.changed by administrator',
    ]);
  });

  test('an email change by the administrator sends a notice also when it disables the account in the same request', async () => {
    const { id, email } = await register(service);
    await change(id, { email: newUserData().email, state: 'disabled' });
    assert.equal((await notices(email)).length, 1);
  });

  test('each change of the state by the administrator is recorded, and no repetition of it', async () => {
    const { id } = await register(service);
    for (const state of ['disabled', 'disabled', 'active', 'active']) await change(id, { state });
    assert.deepEqual(await listEvents(service, id), [
      'user.created by user',
      'user.disabled by administrator',
      'user.enabled by administrator',
    ]);
  });

  test('an email in another case of letters is no email change', async () => {
    const { id, email } = await register(service);
    await change(id, { email: email.toUpperCase() });
    assert.deepEqual(await notices(email), []);
    assert.deepEqual(await listEvents(service, id), [
      'user.created by user',
      'user.updated by administrator',
    ]);
  });

  test('an email change sends nothing to the address of an unclaimed record, which nobody has proved to own', async () => {
    const { id, email } = await createUnclaimedUser(service);
    await change(id, { email: newUserData().email });
    assert.deepEqual(await notices(email), []);
  });
});

describeOnSqlite('a login from a new network', (engine) => {
  const clock = manualClock();
  const service = useService(engine, limited({}, { clock }));
  const logInFrom = async (clientIp: string, person: { email: string; password: string }) =>
    (await service.api.post('/api/login', person, fromIp(clientIp))).status;
  const notices = async (email: string) =>
    (await waitingMail(service, email)).filter(({ kind }) => kind === 'new_network');

  test('a login from a new network records an event and queues a notice, but not for the first login ever', async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id);
    const [home, office] = [newClientIp(), newClientIp()];
    for (const clientIp of [home, home]) assert.equal(await logInFrom(clientIp, person), 200);
    assert.deepEqual(await notices(person.email), []);
    for (const clientIp of [office, office, newClientIp(), home])
      assert.equal(await logInFrom(clientIp, person), 200);
    const expected = [{ kind: 'new_network', user_id: person.id, data: '{}' }];
    assert.deepEqual(await notices(person.email), expected);
    // From now on the network is known.
    clock.now += DAY;
    assert.equal(await logInFrom(office, person), 200);
    assert.deepEqual(await notices(person.email), expected);
    assert.deepEqual(await listEvents(service, person.id), [
      'user.created by user',
      'login.succeeded by user',
      'login.succeeded by user',
      'login.succeeded (new_network) by user',
      'login.succeeded by user',
      'login.succeeded (new_network) by user',
      'login.succeeded by user',
      'login.succeeded by user',
    ]);
  });

  test('a login from a new network queues no notice to an email that was never verified', async () => {
    const person = await register(service);
    for (const clientIp of [newClientIp(), newClientIp()])
      assert.equal(await logInFrom(clientIp, person), 200);
    assert.deepEqual(await notices(person.email), []);
    assert.ok((await listEvents(service, person.id)).includes('login.succeeded (new_network) by user'));
  });
});

describeOnSqlite('a login with REQUIRE_VERIFIED_EMAIL=true', (engine) => {
  const service = useService(engine, limited({ REQUIRE_VERIFIED_EMAIL: 'true' }));

  test('a login with an unverified email is rejected with 403 after the right password until it is verified', async () => {
    const person = await register(service);
    const { token } = person;
    assert.equal(
      (await service.api.get('/api/v1/me', { token })).status,
      200,
      'the token of the registration',
    );
    const clientIp = newClientIp();
    const text = 'The email has not been verified.';
    // More often than failed logins are admitted.
    for (let attempt = 0; attempt < 8; attempt++) {
      const { status, body } = await service.api.post('/api/login', person, fromIp(clientIp));
      const expected = { error: text, code: 'email_not_verified', message: text };
      assert.deepEqual([status, body], [403, expected]);
    }
    const wrong = { ...person, password: 'a wrong password' };
    assert.equal((await service.api.post('/api/login', wrong)).body.code, 'invalid_login');
    const countFailures = () => countFailedLogins(service.database, 0, Math.floor(Date.now() / MINUTE));
    await until(async () => (await countFailures()) > 0, 'the failed login is counted');
    assert.equal(await countFailures(), 1, 'only the one with the wrong password');
    assert.equal((await waitingMail(service, person.email)).length, 1, 'the one of the registration');
    assert.ok((await listEvents(service, person.id)).includes('login.failed (unverified) by anonymous'));
    const link = await createTestLink(service, 'verify_email', { user: person });
    await service.api.post(`/api/v1/email-verifications/${link}`);
    assert.equal((await logIn(service, person)).status, 200);
  });
});
