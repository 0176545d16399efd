import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logIn, queueTestMail, waitingKinds } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  startService,
  type TestService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';

const PATH = '/api/v1/me';
const WRONG = ['The current password is incorrect.'];

describeOnEachEngine('DELETE /api/v1/me', (engine) => {
  const service = useSharedService(engine);
  let second: TestService;
  before(async () => {
    second = await startService(engine, { testDatabase: service.testDatabase });
  });
  after(() => second.stop());
  const erase = (token: string | undefined, body?: unknown) =>
    service.api.delete(PATH, {
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
    });
  const statusOn = async ({ api }: TestService, token: string) => (await api.get(PATH, { token })).status;

  test('DELETE /api/v1/me invalidates every token on every node at once, and the email can register again', async () => {
    const person = await register(service);
    const { token: other } = await logIn(service, person);
    const someoneElse = await register(service);
    for (const token of [person.token, other]) assert.equal(await statusOn(second, token), 200);
    const response = await erase(person.token, { current_password: person.password });
    assert.deepEqual([response.status, response.text], [204, '']);
    for (const node of [service, second]) {
      for (const token of [person.token, other]) assert.equal(await statusOn(node, token), 401);
      assert.equal(await statusOn(node, someoneElse.token), 200);
    }
    assert.equal((await logIn(service, person)).status, 401);
    const { email, password } = person;
    const again = await register(service, { name: 'Somebody else', email, password });
    assert.notEqual(again.id, person.id);
    const path = `/api/v1/users/${person.id}`;
    assert.equal((await service.api.get(path, { token: ADMIN_TOKEN })).status, 404);
  });

  test('DELETE /api/v1/me deletes the messages that wait, also those that others have requested for the address', async () => {
    const person = await register(service);
    const { email } = newUserData();
    await service.api.patch(PATH, { email, current_password: person.password }, { token: person.token });
    const typed = person.email.toUpperCase();
    await service.api.post('/api/v1/password-resets', { email: typed });
    const other = await register(service);
    assert.equal((await erase(person.token, { current_password: person.password })).status, 204);
    for (const address of [person.email, typed, email]) {
      assert.deepEqual(await waitingKinds(service, address), []);
    }
    assert.deepEqual(await waitingKinds(service, other.email), ['verify_email']);
  });

  test('DELETE /api/v1/me rejects a wrong or missing password with 400 and erases nothing', async () => {
    const person = await register(service);
    const required = ['The current_password field is required.'];
    const rejected: readonly [unknown, readonly string[]][] = [
      [{ current_password: `${person.password}x` }, WRONG],
      [{}, required],
      [{ current_password: ' ' }, required],
      [{ current_password: 1 }, ['The current_password field must be a string.']],
    ];
    for (const [input, errors] of rejected) {
      const { status, body } = await erase(person.token, input);
      assert.deepEqual([status, body.code], [400, 'validation_failed']);
      assert.deepEqual(body.errors, { current_password: errors });
    }
    for (const input of [undefined, []]) {
      const { status, body } = await erase(person.token, input);
      assert.deepEqual([status, body.code], [400, 'invalid_payload']);
    }
    assert.equal((await logIn(service, person)).status, 200);
  });

  test('DELETE /api/v1/me succeeds for one of two concurrent requests on two nodes, and rejects the other with 401', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await register(service);
      const { token: other } = await logIn(service, person);
      const body = { current_password: person.password };
      const responses = await Promise.all([
        service.api.delete(PATH, { token: person.token, body }),
        second.api.delete(PATH, { token: other, body }),
      ]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 401]);
    }
  });

  test('DELETE /api/v1/me leaves no token of a concurrent login, and no message of a concurrent change', async () => {
    const person = await register(service);
    const { email } = newUserData();
    const input = { name: 'Ada', email, current_password: person.password };
    const logins = Array.from({ length: 4 }, () => logIn(second, person));
    const change = second.api.patch(PATH, input, { token: person.token });
    assert.equal((await erase(person.token, { current_password: person.password })).status, 204);
    assert.ok([200, 401].includes((await change).status));
    for (const { token } of await Promise.all(logins)) {
      if (token !== undefined) assert.equal(await statusOn(service, token), 401);
    }
    for (const address of [email, person.email]) assert.deepEqual(await waitingKinds(service, address), []);
  });
});

describeOnEachEngine('DELETE /api/v1/users/{id} of a record that an anonymous caller created', (engine) => {
  const service = useSharedService(engine);

  test('the erasure of an anonymously created record keeps the messages to the owner of its email', async () => {
    const owner = await register(service);
    const record = await service.api.post('/api/v1/users', { email: owner.email });
    await queueTestMail(service, 'reset_password', { userId: null, email: owner.email });
    const path = `/api/v1/users/${record.body.data.id}`;
    assert.equal((await service.api.delete(path, { token: ADMIN_TOKEN })).status, 204);
    assert.deepEqual(await waitingKinds(service, owner.email), ['verify_email', 'reset_password']);
  });
});
