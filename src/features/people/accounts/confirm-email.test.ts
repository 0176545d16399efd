import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTestLink,
  listEvents,
  logIn,
  queueTestMail,
  waitingKinds,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, register } from '../../../../test/support/users.ts';

const NOT_FOUND = { error: 'The link is invalid or has expired', code: 'link_not_found' };

describeOnEachEngine('POST /api/v1/email-verifications/{token}', (engine) => {
  const service = useSharedService(engine);
  const confirm = (token: string, body?: unknown) =>
    service.api.post(`/api/v1/email-verifications/${token}`, body);
  const newUser = async () => {
    const { id, email, token } = await insertLoggedInUser(service.database);
    return { id, email: email!, token };
  };
  const verifyLink = (user: { id: string; email: string }, now = Date.now()) =>
    createTestLink(service, 'verify_email', { user, now });
  const changeLink = ({ id }: { id: string }, email: string, now = Date.now()) =>
    createTestLink(service, 'change_email', { user: { id, email }, now });
  const read = async (id: string) => {
    const { body, headers } = await service.api.get(`/api/v1/users/${id}`, editor);
    return { ...body.data, etag: headers.get('etag') };
  };
  const update = (id: string, changes: object) => service.api.patch(`/api/v1/users/${id}`, changes, editor);

  test('an email confirmation verifies the email of the user, once, with or without a body', async () => {
    for (const body of [undefined, {}, { token: 'ignored' }]) {
      const user = await newUser();
      const link = await verifyLink(user);
      const response = await confirm(link, body);
      assert.equal(response.status, 200);
      assert.deepEqual(response.body, { message: 'Email verified' });
      const { email_verified_at, updated_at, etag } = await read(user.id);
      assert.equal(email_verified_at, updated_at);
      assert.equal(etag, '"2"');
      assert.deepEqual((await confirm(link)).body, NOT_FOUND);
      assert.deepEqual(await listEvents(service, user.id), ['email.verified by user']);
    }
  });

  test('an email confirmation changes the email, keeps the tokens, and sends a notice to the old address', async () => {
    const user = await newUser();
    const email = newUserData().email.replace('user', 'User');
    const link = await changeLink(user, email);
    const response = await confirm(link);
    assert.equal(response.status, 200);
    assert.deepEqual(response.body, { message: 'Email changed' });
    const after = await read(user.id);
    assert.equal(after.email, email);
    assert.equal(after.etag, '"2"');
    assert.equal(after.email_verified_at, after.updated_at);
    assert.equal((await service.api.get('/api/v1/me', { token: user.token })).body.data.email, email);
    const data = JSON.stringify({ new_email: email });
    const notice = { kind: 'email_changed', user_id: user.id, data };
    assert.deepEqual(await waitingMail(service, user.email), [notice]);
    assert.deepEqual(await waitingKinds(service, email), []);
    assert.deepEqual(await listEvents(service, user.id), ['email.changed by user']);
    assert.deepEqual((await confirm(link)).body, NOT_FOUND);
  });

  test('an email confirmation lets the user log in with the new email only, and others register with the old one', async () => {
    const person = await register(service);
    const { email } = newUserData();
    assert.equal((await confirm(await changeLink(person, email))).status, 200);
    assert.equal((await logIn(service, { ...person, email: email.toUpperCase() })).status, 200);
    assert.equal((await logIn(service, person)).status, 401);
    const { name, password } = person;
    const registration = (address: string) =>
      service.api.post('/api/register', { name, email: address, password });
    assert.equal((await registration(email)).status, 409);
    assert.equal((await registration(person.email)).status, 201);
  });

  test('an email change revokes the other links of the user, also those of messages that wait', async () => {
    const user = await newUser();
    const [first, second] = [newUserData().email, newUserData().email];
    const [verify, other] = [await verifyLink(user), await changeLink(user, second)];
    const reset = await createTestLink(service, 'reset_password', { user });
    await queueTestMail(service, 'change_email', { userId: user.id, email: second });
    assert.equal((await confirm(await changeLink(user, first))).status, 200);
    for (const link of [verify, other]) assert.deepEqual((await confirm(link)).body, NOT_FOUND);
    const password = 'paper lantern under the bridge';
    assert.equal((await service.api.post(`/api/v1/password-resets/${reset}`, { password })).status, 404);
    assert.deepEqual(await waitingKinds(service, second), []);
  });

  test('an email change to an address that is taken meanwhile is rejected with 409, and the link stays valid', async () => {
    const user = await newUser();
    const link = await changeLink(user, newUserData().email);
    const { email } = await newUser();
    const taken = await changeLink(user, email.toUpperCase());
    const text = 'The email has already been taken.';
    const expected = { error: text, code: 'email_taken', message: text, errors: { email: [text] } };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await confirm(taken);
      assert.equal(status, 409);
      assert.deepEqual(body, expected);
    }
    assert.equal((await read(user.id)).etag, '"1"');
    assert.deepEqual(await waitingKinds(service, user.email), []);
    assert.equal((await confirm(link)).status, 200);
  });

  test('one of two accounts gets an email to which both change at once', async () => {
    const users = [await newUser(), await newUser()];
    const { email } = newUserData();
    const links = await Promise.all(users.map((user) => changeLink(user, email)));
    const statuses = (await Promise.all(links.map((link) => confirm(link)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 409]);
  });

  if (engine === 'postgres') return;

  test('an email confirmation accepts a second link of a verified email and keeps the version', async () => {
    const user = await newUser();
    const links = [await verifyLink(user), await verifyLink(user)];
    for (const link of links) assert.equal((await confirm(link)).status, 200);
    assert.equal((await read(user.id)).etag, '"2"');
    assert.deepEqual(await listEvents(service, user.id), ['email.verified by user']);
  });

  test('an email confirmation rejects unknown links, and links for other steps without using them up', async () => {
    const user = await newUser();
    const reset = await createTestLink(service, 'reset_password', { user });
    for (const token of ['x', 'A'.repeat(43), reset]) {
      const { status, body } = await confirm(token);
      assert.equal(status, 404);
      assert.deepEqual(body, NOT_FOUND);
    }
    const password = 'paper lantern under the bridge';
    assert.equal((await service.api.post(`/api/v1/password-resets/${reset}`, { password })).status, 200);
  });

  test('an email confirmation rejects the links of a disabled account like unknown ones', async () => {
    const user = await newUser();
    await update(user.id, { state: 'disabled' });
    const links = [await verifyLink(user), await changeLink(user, newUserData().email)];
    for (const link of links) assert.deepEqual((await confirm(link)).body, NOT_FOUND);
    assert.equal((await read(user.id)).email, user.email);
  });

  test('an email confirmation rejects a link that verifies an earlier email of the user', async () => {
    const user = await newUser();
    await update(user.id, { email: newUserData().email });
    assert.deepEqual((await confirm(await verifyLink(user))).body, NOT_FOUND);
    assert.equal((await read(user.id)).email_verified_at, null);
  });
});

describeOnEachEngine('PATCH /api/v1/users/{id}', (engine) => {
  const service = useSharedService(engine);

  for (const changes of [{ state: 'disabled' }, { email: 'the-new-one@example.com' }]) {
    test(`PATCH /api/v1/users/{id} revokes the links of the user with ${JSON.stringify(changes)}`, async () => {
      const person = await register(service);
      const { email } = newUserData();
      const link = await createTestLink(service, 'change_email', { user: { ...person, email } });
      await queueTestMail(service, 'change_email', { userId: person.id, email });
      const path = `/api/v1/users/${person.id}`;
      assert.equal((await service.api.patch(path, changes, editor)).status, 200);
      if ('state' in changes) await service.api.patch(path, { state: 'active' }, editor);
      assert.equal((await service.api.post(`/api/v1/email-verifications/${link}`)).status, 404);
      assert.deepEqual(await waitingKinds(service, email), []);
    });
  }

  test('PATCH /api/v1/users/{id} keeps the links of the user with other changes', async () => {
    const person = await register(service);
    const link = await createTestLink(service, 'verify_email', { user: person });
    await service.api.patch(`/api/v1/users/${person.id}`, { name: 'Another Name', level: 'gold' }, editor);
    assert.equal((await service.api.post(`/api/v1/email-verifications/${link}`)).status, 200);
  });
});
