import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { logIn, queueTestMail, waitingKinds } from '../../../../test/support/processes/recovery.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import {
  admin,
  newUserData,
  startService,
  type TestService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, register } from '../../../../test/support/users.ts';
import { USER_TABLES } from './user-tables.ts';

describeStorage('DELETE /api/v1/users/{id}', (engine) => {
  const service = useSharedService(engine);

  test('DELETE /api/v1/users/{id} responds with a receipt if the request prefers it', async () => {
    const { database } = service;
    const { id } = await insertLoggedInUser(database);
    const headers = { prefer: 'return=representation' };
    const response = await service.api.delete(`/api/v1/users/${id}`, { ...admin, headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('preference-applied'), 'return=representation');
    await numberAllEvents(database);
    const { body } = await service.api.get(`/api/v1/events?subject=user:${id}`, admin);
    const { event_id, erased_at, user_id, deleted } = response.body.data;
    assert.deepEqual(
      [body.data[0].type, body.data[0].id, body.data[0].time],
      ['user.erased', event_id, erased_at],
    );
    assert.deepEqual([user_id, deleted.includes('record')], [id, true]);
  });

  test('DELETE /api/v1/users/{id} rejects a version other than that of If-Match with 412', async () => {
    const { id } = await createUnclaimedUser(service);
    const path = `/api/v1/users/${id}`;
    const tagged = (tag: string) => ({ ...admin, headers: { 'if-match': tag } });
    assert.equal((await service.api.patch(path, { level: 'gold' }, tagged('"1"'))).status, 200);
    const rejected = await service.api.delete(path, tagged('"1"'));
    assert.equal(rejected.status, 412);
    assert.equal(rejected.body.code, 'precondition_failed');
    assert.equal((await service.api.get(path, admin)).status, 200);
    assert.equal((await service.api.delete(path, tagged('"2"'))).status, 204);
    assert.equal((await service.api.delete(path, tagged('"2"'))).status, 404);
  });
});

const guide = readFileSync(new URL('../../../../docs/accounts.md', import.meta.url), 'utf8');

describe('docs/accounts.md', () => {
  for (const { name, contents, kept, exported } of USER_TABLES)
    test(`docs/accounts.md has the contents and the retention of ${name} under its member of the export`, () => {
      const row = `| \`${exported.member}\` | ${contents} | ${kept} |`;
      assert.ok(guide.split('\n').includes(row), row);
    });
});

const PATH = '/api/v1/me';
const WRONG = ['The current password is incorrect.'];

describeStorage('the erasure of a user, and of an anonymous record', (engine) => {
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

  test('the erasure of an anonymously created record keeps the messages to the owner of its email', async () => {
    const owner = await register(service);
    const record = await service.api.post('/api/v1/users', { email: owner.email });
    await queueTestMail(service, 'reset_password', { userId: null, email: owner.email });
    const path = `/api/v1/users/${record.body.data.id}`;
    assert.equal((await service.api.delete(path, admin)).status, 204);
    assert.deepEqual(await waitingKinds(service, owner.email), ['verify_email', 'reset_password']);
  });
});
