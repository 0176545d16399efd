import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiResponse } from '../../../test/support/api.ts';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  PRODUCTION_HASHES,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';

const admin = { token: ADMIN_TOKEN };

function assertProcessed(response: ApiResponse): void {
  assert.equal(response.status, 201);
  assert.equal(replayed(response), null);
}

describeOnSqlite('error responses that may be retried with the same key', (engine) => {
  const service = useService(engine);
  const watch = () => watchTally(service.service.database);
  const post: typeof service.api.post = (...request) => service.api.post(...request);
  // A second node on the same database, closed to anonymous callers.
  let strict: TestService;
  before(async () => {
    const closed = { REGISTRATION: 'closed', USERS_CREATE: 'admin' };
    strict = await startService(engine, { testDatabase: service.testDatabase, environment: closed });
  });
  after(() => strict.stop());

  test('a request with a used key is processed after a 400 for an invalid body', async () => {
    const [person, key, added] = [newUserData(), newKey(), await watch()];
    for (const body of [{ ...person, password: 'short' }, {}, []]) {
      assert.equal((await post('/api/register', body, keyed(key))).status, 400);
    }
    assert.deepEqual(await added(), NOTHING);
    assertProcessed(await post('/api/register', person, keyed(key)));
    assert.deepEqual(await added(), ONE_ACCOUNT);
  });

  test('a request with a used key is processed after a 401 for a wrong credential', async () => {
    const [{ name, email }, key, added] = [newUserData(), newKey(), await watch()];
    const rejected = await post('/api/v1/users', { name, email }, keyed(key, { token: 'wrong' }));
    assert.equal(rejected.status, 401);
    assert.deepEqual(await added(), NOTHING);
    assertProcessed(await post('/api/v1/users', { name, email }, keyed(key, admin)));
  });

  test('a request with a used key is processed after a 503 of a full password queue', async () => {
    const environment = { PASSWORD_THREADS: '1', PASSWORD_QUEUE: '1' };
    const full = await startService(engine, {
      testDatabase: service.testDatabase,
      environment,
      ...PRODUCTION_HASHES,
    });
    try {
      const added = await watch();
      const attempts = Array.from({ length: 6 }, () => ({ person: newUserData(), key: newKey() }));
      const responses = await Promise.all(
        attempts.map(({ person, key }) => full.api.post('/api/register', person, keyed(key))),
      );
      const rejected = attempts.filter((_, index) => responses[index]!.status === 503);
      assert.ok(rejected.length > 0, 'the queue was never full');
      const done = attempts.length - rejected.length;
      assert.deepEqual(await added(), { users: done, tokens: done, responses: done, claims: 0 });
      const { person, key } = rejected[0]!;
      assertProcessed(await full.api.post('/api/register', person, keyed(key)));
    } finally {
      await full.stop();
    }
  });
});

describeOnSqlite('operations without support for Idempotency-Key', (engine) => {
  const service = useService(engine);

  test('operations without support for Idempotency-Key ignore a valid or malformed one and store nothing', async () => {
    const { api } = service;
    const { name, email } = newUserData();
    const { id } = (await api.post('/api/v1/users', { name, email }, admin)).body.data;
    const added = await watchTally(service.service.database);
    const fields = { fields: [{ label: 'label', type: 'text', is_required: true }] };
    for (const key of ['two words', 'weak', 'weak']) {
      const options = keyed(key, { ...admin, headers: { 'if-match': '*' } });
      const responses = [
        await api.get('/api/v1/users', options),
        await api.patch(`/api/v1/users/${id}`, { name: newUserData().name }, options),
        await api.post('/api/v1/form-fields/validate', fields, keyed(key)),
      ];
      assert.deepEqual(
        responses.map((response) => [response.status, replayed(response)]),
        Array(3).fill([200, null]),
      );
    }
    const login = await api.post('/api/login', { email, password: 'of no user' }, keyed('weak'));
    assert.equal(login.status, 401);
    assert.deepEqual(await added(), NOTHING);
    assert.equal((await api.get(`/api/v1/users/${id}`, admin)).body.data.version, 4);
  });
});
