import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingKinds,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService, useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, markEmailVerified, register } from '../../../../test/support/users.ts';

const PATH = '/api/v1/me';
const WRONG = ['The current password is incorrect.'];
const EMAIL_REQUESTED =
  'The email changes when the link is opened that is sent to the new address, unless it is taken';

describeOnEachEngine('PATCH /api/v1/me with a name', (engine) => {
  const service = useSharedService(engine);
  const change = (token: string | undefined, body: unknown, headers = {}) =>
    service.api.patch(PATH, body, token === undefined ? { headers } : { token, headers });
  const getRecord = async (token: string) => (await service.api.get(PATH, { token })).body.data;

  test('PATCH /api/v1/me changes the name at once without a password, and increments the version', async () => {
    const person = await insertLoggedInUser(service.database);
    const before = await getRecord(person.token);
    const { status, headers, body } = await change(person.token, { name: ' Ada Lovelace ' });
    assert.equal(status, 200);
    assert.equal(headers.get('etag'), '"2"');
    assert.equal(body.message, 'Account updated');
    const { updated_at } = body.data;
    assert.deepEqual(body.data, { ...before, name: 'Ada Lovelace', version: 2, updated_at });
    assert.ok(updated_at >= before.updated_at);
    assert.deepEqual(await getRecord(person.token), body.data);
  });

  test('PATCH /api/v1/me rejects an outdated If-Match with 412, and all concurrent changes but one', async () => {
    const person = await insertLoggedInUser(service.database);
    const names = ['One', 'Two', 'Three', 'Four'];
    const tag = { 'if-match': '"1"' };
    const responses = await Promise.all(names.map((name) => change(person.token, { name }, tag)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412, 412, 412]);
    const late = await change(person.token, { name: 'Five' }, tag);
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
    for (const value of ['"2"', '*']) {
      assert.equal(
        (await change(person.token, { name: `With ${value}` }, { 'if-match': value })).status,
        200,
      );
    }
    assert.equal((await getRecord(person.token)).version, 4);
  });

  if (engine === 'postgres') return;

  test('PATCH /api/v1/me keeps the version if the name is the same, or no member is sent', async () => {
    const person = await insertLoggedInUser(service.database);
    for (const body of [
      { name: person.name },
      {},
      { current_password: ' ' },
      { current_password: 'anything' },
    ]) {
      const { status, headers } = await change(person.token, body);
      assert.equal(status, 200);
      assert.equal(headers.get('etag'), '"1"');
    }
  });
});

describeOnEachEngine('PATCH /api/v1/me with an email', (engine) => {
  const service = useSharedService(engine);
  const change = (token: string, body: object, headers = {}) =>
    service.api.patch(PATH, body, { token, headers });
  const getRecord = async (token: string) => (await service.api.get(PATH, { token })).body.data;

  test('an email change keeps the current email until the link is confirmed, and queues a link and a notice', async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id);
    const { email } = newUserData();
    const before = await getRecord(person.token);
    const input = { email: ` ${email} `, current_password: person.password };
    const { status, headers, body } = await change(person.token, input);
    assert.equal(status, 200);
    assert.equal(headers.get('etag'), '"1"');
    assert.deepEqual(body, { message: EMAIL_REQUESTED, data: before, pending_email: email });
    assert.deepEqual(await getRecord(person.token), before);
    const link = { kind: 'change_email', user_id: person.id, data: '{}' };
    assert.deepEqual(await waitingMail(service, email), [link]);
    const [, notice] = await waitingMail(service, person.email);
    const data = JSON.stringify({ new_email: email });
    assert.deepEqual(notice, { kind: 'email_change_requested', user_id: person.id, data });
    const events = ['user.created by user', 'email.change_requested by user'];
    assert.deepEqual(await listEvents(service, person.id), events);
    const token = await createTestLink(service, 'change_email', { user: { id: person.id, email } });
    assert.equal((await service.api.post(`/api/v1/email-verifications/${token}`)).status, 200);
    assert.equal((await getRecord(person.token)).email, email);
    assert.equal((await logIn(service, { ...person, email })).status, 200);
  });

  test('an email change cannot lead to a second account with a case variant of the email', async () => {
    const person = await register(service);
    const variant = person.email.toUpperCase();
    await change(person.token, { email: variant, current_password: person.password });
    const registration = await service.api.post('/api/register', { ...newUserData(), email: variant });
    assert.deepEqual([registration.status, registration.body.code], [409, 'email_taken']);
    const other = await register(service);
    await change(other.token, { email: variant, current_password: other.password });
    const token = await createTestLink(service, 'change_email', { user: { id: other.id, email: variant } });
    const confirmed = await service.api.post(`/api/v1/email-verifications/${token}`);
    assert.deepEqual([confirmed.status, confirmed.body.code], [409, 'email_taken']);
    assert.equal((await logIn(service, { ...person, email: variant })).status, 200);
  });

  test('an email change replaces a pending one to another address, whether or not its link has been sent', async () => {
    const person = await register(service);
    const [first, second, third] = [newUserData().email, newUserData().email, newUserData().email];
    const changeTo = (email: string) => change(person.token, { email, current_password: person.password });
    const confirm = async (link: string) =>
      (await service.api.post(`/api/v1/email-verifications/${link}`)).status;
    await changeTo(first);
    const sentLink = await createTestLink(service, 'change_email', { user: { ...person, email: second } });
    const sameLink = await createTestLink(service, 'change_email', { user: { ...person, email: third } });
    assert.equal((await changeTo(third)).body.pending_email, third);
    for (const email of [first, second]) assert.deepEqual(await waitingMail(service, email), []);
    assert.deepEqual(await waitingKinds(service, third), ['change_email']);
    assert.equal(await confirm(sentLink), 404);
    assert.equal(await confirm(sameLink), 200, 'an earlier link to the same address is still valid');
  });

  test('concurrent email changes leave one pending change', async () => {
    const person = await register(service);
    const emails = [newUserData().email, newUserData().email, newUserData().email];
    const responses = await Promise.all(
      emails.map((email) => change(person.token, { email, current_password: person.password })),
    );
    assert.deepEqual(pluck(responses, 'status'), [200, 200, 200]);
    const waiting = await Promise.all(emails.map((email) => waitingMail(service, email)));
    assert.equal(waiting.flat().length, 1);
  });

  if (engine === 'postgres') return;

  test('an email change sets the name in the same request, and neither if the password or the version is wrong', async () => {
    const person = await register(service);
    const { email } = newUserData();
    const input = { name: 'Ada Lovelace', email, current_password: person.password };
    const wrong = await change(person.token, { ...input, current_password: 'a wrong password' });
    assert.equal(wrong.status, 400);
    assert.deepEqual(wrong.body.errors, { current_password: WRONG });
    for (const current_password of [undefined, null, ' ']) {
      const { status, body } = await change(person.token, { ...input, current_password });
      assert.deepEqual([status, body.code], [400, 'validation_failed']);
      assert.deepEqual(body.errors, { current_password: ['The current_password field is required.'] });
    }
    assert.equal((await change(person.token, input, { 'if-match': '"2"' })).status, 412);
    assert.equal((await getRecord(person.token)).version, 1);
    assert.deepEqual(await waitingMail(service, email), []);
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email']);
    const { status, body } = await change(person.token, input, { 'if-match': '"1"' });
    assert.equal(status, 200);
    assert.deepEqual([body.data.name, body.data.version], ['Ada Lovelace', 2]);
    assert.deepEqual(await waitingKinds(service, email), ['change_email']);
  });

  test('an email change to the current address in any case changes nothing, also without a password', async () => {
    const person = await register(service);
    for (const email of [person.email, person.email.toUpperCase(), ` ${person.email} `]) {
      const { status, headers, body } = await change(person.token, { email });
      assert.equal(status, 200);
      assert.equal(headers.get('etag'), '"1"');
      assert.deepEqual([body.message, body.data.email], ['Account updated', person.email]);
      assert.ok(!('pending_email' in body));
    }
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email']);
    assert.deepEqual(await waitingMail(service, person.email.toUpperCase()), []);
    assert.deepEqual(await listEvents(service, person.id), ['user.created by user']);
  });

  test('an email change is rejected with 429 after five requests within an hour', async () => {
    const person = await register(service);
    const changeTo = (email: string) =>
      change(person.token, { name: 'Ada Lovelace', email, current_password: person.password });
    for (let request = 0; request < 5; request++) {
      assert.equal((await changeTo(newUserData().email)).status, 200);
    }
    const { email } = newUserData();
    const { status, headers, body } = await changeTo(email);
    assert.deepEqual([status, body.code], [429, 'too_many_requests']);
    const wait = Number(headers.get('retry-after'));
    assert.ok(wait > 3_500 && wait <= 3_600, String(wait));
    assert.deepEqual(await waitingMail(service, email), []);
    assert.equal((await logIn(service, person)).status, 200, 'it is no failed login');
  });
});

describeOnEachEngine('PATCH and DELETE /api/v1/me with a limit of logins', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_LOGIN: '3/60' }));

  test('DELETE /api/v1/me counts as a login of the network, PATCH only if it checks a password', async () => {
    const person = await register(service);
    const address = newClientIp();
    const options = fromIp(address, { token: person.token });
    const { email, password } = person;
    for (const body of [{ name: 'Ada' }, { user_metadata: { theme: 'dark' } }, { email, name: 'Grace' }]) {
      const { status, headers } = await service.api.patch(PATH, body, options);
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit-policy'), '"user";q=600;w=60, "write";q=1200;w=60');
    }
    assert.equal((await service.api.patch(PATH, { email: newUserData().email }, options)).status, 400);
    const change = () =>
      service.api.patch(PATH, { email: newUserData().email, current_password: password }, options);
    assert.equal((await service.api.delete(PATH, { ...options, body: {} })).status, 400);
    for (const remaining of [1, 0]) {
      const { status, headers } = await change();
      assert.equal(status, 200);
      assert.match(headers.get('ratelimit')!, new RegExp(`^"login";r=${remaining};`));
    }
    const { status, body } = await change();
    assert.deepEqual([status, body.code], [429, 'rate_limited_login']);
    const login = await service.api.post('/api/login', { email, password }, fromIp(address));
    assert.equal(login.body.code, 'rate_limited_login');
    assert.equal((await service.api.patch(PATH, { name: 'Ada' }, options)).status, 200);
  });
});
