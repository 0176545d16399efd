import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiResponse } from '../../../test/support/api.ts';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import {
  ADMIN_TOKEN,
  newPerson,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';

const admin = { token: ADMIN_TOKEN };

function assertCarriedOut(answer: ApiResponse): void {
  assert.equal(answer.status, 201);
  assert.equal(replayed(answer), null);
}

describeOnEachEngine('a refusal that is not the outcome leaves the key free:', (engine) => {
  const service = useService(engine);
  const watch = () => watchTally(service.service.database);
  const post: typeof service.api.post = (...request) => service.api.post(...request);
  // A node on the same database that is closed to strangers and lets one password wait.
  let strict: TestService;
  before(async () => {
    const closed = { REGISTRATION: 'closed', USERS_CREATE: 'admin' };
    strict = await startService(engine, { testDatabase: service.testDatabase, environment: closed });
  });
  after(() => strict.stop());

  test('400, a body that breaks the rules', async () => {
    const [person, key, added] = [newPerson(), newKey(), await watch()];
    for (const body of [{ ...person, password: 'short' }, {}, []]) {
      assert.equal((await post('/api/register', body, keyed(key))).status, 400);
    }
    assert.deepEqual(await added(), NOTHING);
    assertCarriedOut(await post('/api/register', person, keyed(key)));
    assert.deepEqual(await added(), ONE_ACCOUNT);
  });

  test('401, a credential that is not one', async () => {
    const [{ name, email }, key, added] = [newPerson(), newKey(), await watch()];
    const refused = await post('/api/v1/users', { name, email }, keyed(key, { token: 'wrong' }));
    assert.equal(refused.status, 401);
    assert.deepEqual(await added(), NOTHING);
    assertCarriedOut(await post('/api/v1/users', { name, email }, keyed(key, admin)));
  });

  test('403, a node that is closed to strangers', async () => {
    for (const path of ['/api/register', '/api/v1/users']) {
      const [person, key, added] = [newPerson(), newKey(), await watch()];
      assert.equal((await strict.api.post(path, person, keyed(key))).status, 403);
      assert.deepEqual(await added(), NOTHING);
      assertCarriedOut(await post(path, person, keyed(key)));
    }
  });

  test('413 and 415, a body that is too large or of another type', async () => {
    const [key, added] = [newKey(), await watch()];
    const large = ['Content-Type: application/json', `Content-Length: ${1_048_577}`];
    const fields = { 413: large, 415: ['Content-Type: text/plain', 'Content-Length: 2'] };
    for (const [expected, lines] of Object.entries(fields)) {
      const bytes = rawRequest('POST', '/api/v1/users', [`Idempotency-Key: ${key}`, ...lines]);
      assert.equal((await sendRawOnce(service.api.address, bytes)).status, Number(expected));
    }
    assert.deepEqual(await added(), NOTHING);
    assertCarriedOut(await post('/api/v1/users', {}, keyed(key)));
  });

  test('503, a node with no room for another password', async () => {
    const environment = { PASSWORD_THREADS: '1', PASSWORD_QUEUE: '1' };
    const full = await startService(engine, { testDatabase: service.testDatabase, environment });
    try {
      const added = await watch();
      const attempts = Array.from({ length: 6 }, () => ({ person: newPerson(), key: newKey() }));
      const answers = await Promise.all(
        attempts.map(({ person, key }) => full.api.post('/api/register', person, keyed(key))),
      );
      const refused = attempts.filter((_, index) => answers[index]!.status === 503);
      assert.ok(refused.length > 0, 'the queue was never full');
      const done = attempts.length - refused.length;
      assert.deepEqual(await added(), { users: done, tokens: done, answers: done, claims: 0 });
      const { person, key } = refused[0]!;
      assertCarriedOut(await full.api.post('/api/register', person, keyed(key)));
    } finally {
      await full.stop();
    }
  });
});

describeOnEachEngine('an operation that honours no key', (engine) => {
  const service = useService(engine);

  test('ignores it, malformed or not, and stores nothing', async () => {
    const { api } = service;
    const { name, email } = newPerson();
    const { id } = (await api.post('/api/v1/users', { name, email }, admin)).body.data;
    const added = await watchTally(service.service.database);
    const fields = { fields: [{ label: 'label', type: 'text', is_required: true }] };
    for (const key of ['two words', 'weak', 'weak']) {
      const options = keyed(key, { ...admin, headers: { 'if-match': '*' } });
      const answers = [
        await api.get('/api/v1/users', options),
        await api.patch(`/api/v1/users/${id}`, { name: newPerson().name }, options),
        await api.post('/api/v1/form-fields/validate', fields, keyed(key)),
      ];
      assert.deepEqual(
        answers.map((answer) => [answer.status, replayed(answer)]),
        Array(3).fill([200, null]),
      );
    }
    const login = await api.post('/api/login', { email, password: 'of nobody' }, keyed('weak'));
    assert.equal(login.status, 401);
    assert.deepEqual(await added(), NOTHING);
    assert.equal((await api.get(`/api/v1/users/${id}`, admin)).body.data.version, 4);
  });
});
