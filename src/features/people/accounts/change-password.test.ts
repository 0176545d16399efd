import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  queueTestMail,
  waitingKinds,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService, useSharedService } from '../../../../test/support/service.ts';
import {
  insertTestToken,
  insertTestUser,
  markEmailVerified,
  register,
} from '../../../../test/support/users.ts';

const PATH = '/api/v1/me/password';
const NEW = 'paper lantern under the bridge';
const WRONG = ['The current password is incorrect.'];

describeOnEachEngine('PUT /api/v1/me/password', (engine) => {
  const service = useSharedService(engine);
  const change = (token: string | undefined, body: unknown) =>
    service.api.put(PATH, body, token === undefined ? {} : { token });
  const isAlive = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;

  test('PUT /api/v1/me/password replaces the password, and the version of the record stays', async () => {
    const person = await register(service);
    const { status, body } = await change(person.token, { current_password: person.password, password: NEW });
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Password changed' });
    assert.equal((await logIn(service, person)).status, 401);
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
    const me = await service.api.get('/api/v1/me', { token: person.token });
    assert.equal(me.headers.get('etag'), '"1"');
  });

  test('PUT /api/v1/me/password revokes every other token and keeps the one of the request', async () => {
    const person = await register(service);
    const others = [(await logIn(service, person)).token, (await logIn(service, person)).token];
    const someoneElse = await register(service);
    const current = others.pop()!;
    assert.equal((await change(current, { current_password: person.password, password: NEW })).status, 200);
    assert.equal(await isAlive(current), true);
    for (const token of [person.token, ...others]) assert.equal(await isAlive(token), false);
    assert.equal(await isAlive(someoneElse.token), true);
  });

  test('a password change revokes pending links, also of messages that wait, records the event and queues a notice', async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id);
    const reset = await createTestLink(service, 'reset_password', { user: person });
    const newEmail = newUserData().email;
    const move = await createTestLink(service, 'change_email', { user: { ...person, email: newEmail } });
    await queueTestMail(service, 'change_email', { userId: person.id, email: newEmail });
    await service.api.post('/api/v1/password-resets', { email: person.email.toUpperCase() });
    const body = { current_password: person.password, password: NEW };
    assert.equal((await change(person.token, body)).status, 200);
    const resetResponse = await service.api.post(`/api/v1/password-resets/${reset}`, { password: NEW });
    assert.equal(resetResponse.status, 404);
    assert.equal((await service.api.post(`/api/v1/email-verifications/${move}`)).status, 404);
    assert.deepEqual(await waitingKinds(service, newEmail), []);
    assert.deepEqual(await waitingKinds(service, person.email.toUpperCase()), []);
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email', 'password_changed']);
    assert.deepEqual(await listEvents(service, person.id), [
      'user.created by user',
      'password.changed by user',
    ]);
  });

  test('PUT /api/v1/me/password rejects a wrong current password with 400 and changes nothing', async () => {
    const person = await register(service);
    const { token: other } = await logIn(service, person);
    const link = await createTestLink(service, 'reset_password', { user: person });
    const input = { current_password: `${person.password}x`, password: NEW };
    const { status, body } = await change(person.token, input);
    assert.equal(status, 400);
    assert.equal(body.code, 'validation_failed');
    assert.deepEqual(body.errors, { current_password: WRONG });
    for (const token of [person.token, other]) assert.equal(await isAlive(token), true);
    assert.equal((await logIn(service, person)).status, 200);
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email']);
    const short = await service.api.post(`/api/v1/password-resets/${link}`, { password: 'short' });
    assert.equal(short.status, 400, 'the link is still valid');
  });

  test('PUT /api/v1/me/password admits one of two concurrent changes with the same current password', async () => {
    const person = await register(service);
    const passwords = [NEW, `${NEW}, again`];
    const responses = await Promise.all(
      passwords.map((password) => change(person.token, { current_password: person.password, password })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
    const winner = responses.findIndex(({ status }) => status === 200);
    assert.deepEqual(responses[1 - winner]!.body.errors, { current_password: WRONG });
    assert.equal((await logIn(service, { ...person, password: passwords[winner]! })).status, 200);
  });

  test('PUT /api/v1/me/password leaves no token of a concurrent login with the old password', async () => {
    const person = await register(service);
    const logins = Array.from({ length: 8 }, () => logIn(service, person));
    const changed = await change(person.token, { current_password: person.password, password: NEW });
    assert.equal(changed.status, 200);
    for (const { token } of await Promise.all(logins)) {
      if (token !== undefined) assert.equal(await isAlive(token), false);
    }
  });

  test('PUT /api/v1/me/password succeeds while a concurrent login replaces an outdated hash', async () => {
    const passwordHash = hashSync('an old password', {
      algorithm: 2,
      memoryCost: 4_096,
      timeCost: 1,
      parallelism: 1,
    });
    const { database } = service;
    const person = await insertTestUser(database, { passwordHash });
    const { token } = await insertTestToken(database, person.id, { scopes: 'self:write' });
    const login = logIn(service, { email: person.email!, password: 'an old password' });
    const input = { current_password: 'an old password', password: NEW };
    assert.equal((await change(token, input)).status, 200);
    await login;
    assert.equal((await logIn(service, { email: person.email!, password: NEW })).status, 200);
  });
});

describeOnSqlite('PUT /api/v1/me/password with rate limits', (engine) => {
  const service = useService(engine, limited());
  const changeFrom = (clientIp: string, token: string, body: object) =>
    service.api.put(PATH, body, fromIp(clientIp, { token }));

  test('PUT /api/v1/me/password counts wrong passwords as failed logins, and rejects further ones with 429', async () => {
    const person = await register(service);
    const [clientIp, otherIp] = [newClientIp(), newClientIp()];
    const wrong = { current_password: 'a wrong password', password: NEW };
    for (let attempt = 0; attempt < 5; attempt++) {
      assert.equal((await changeFrom(clientIp, person.token, wrong)).status, 400);
    }
    const right = { ...wrong, current_password: person.password };
    const rejected = await changeFrom(clientIp, person.token, right);
    assert.equal(rejected.status, 429);
    assert.equal(rejected.body.code, 'too_many_requests');
    assert.ok(Number(rejected.headers.get('retry-after')) >= 1);
    const login = await service.api.post('/api/login', person, fromIp(clientIp));
    assert.equal(login.body.code, 'too_many_requests');
    assert.equal((await changeFrom(otherIp, person.token, right)).status, 200);
  });
});
