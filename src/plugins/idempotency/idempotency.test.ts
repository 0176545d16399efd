import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../test/support/api.ts';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, editor, hashAfter, newUserData, useService } from '../../../test/support/service.ts';

const PUBLIC_URL = 'https://example.com/accounts';
/** One hashing thread: a registration behind others waits long enough for a second one to arrive. */
const environment = { PUBLIC_URL, PASSWORD_THREADS: '1' };

/** Asserts the same status and body, marked as a replay, with a request id of its own. */
function assertReplay(response: ApiResponse, first: ApiResponse): void {
  assert.equal(replayed(response), 'true');
  assert.equal(replayed(first), null);
  assert.equal(response.status, first.status);
  assert.equal(response.text, first.text);
  for (const name of ['content-type', 'location', 'cache-control', 'etag']) {
    assert.equal(response.headers.get(name), first.headers.get(name), name);
  }
  assert.match(response.headers.get('x-request-id') ?? '', /./);
  assert.notEqual(response.headers.get('x-request-id'), first.headers.get('x-request-id'));
}

describeOnSqlite('requests with an Idempotency-Key', (engine) => {
  let beforeHash = async () => {};
  const service = useService(engine, { environment, hashingPool: hashAfter(() => beforeHash()) });
  const watch = () => watchTally(service.database);
  const post: typeof service.api.post = (...request) => service.api.post(...request);

  test('one of two concurrent requests with a key is processed, the other gets 409, and a retry gets the replay', async () => {
    const [person, key, added] = [newUserData(), newKey(), await watch()];
    const register = () => post('/api/register', person, keyed(key));
    // The first one ends after the other one, or beside it.
    const { promise, resolve } = Promise.withResolvers<void>();
    let hashes = 0;
    beforeHash = () => {
      if (++hashes === 2) resolve();
      return promise;
    };
    const requests = [register(), register()];
    await Promise.race([...requests, promise]);
    resolve();
    const responses = await Promise.all(requests);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409]);
    const first = responses.find(({ status }) => status === 201)!;
    const busy = responses.find(({ status }) => status === 409)!;
    assert.equal(busy.headers.get('retry-after'), '1');
    const error = 'A request is outstanding for this Idempotency-Key';
    assert.deepEqual(busy.body, { error, code: 'idempotency_key_in_use' });
    assertReplay(await register(), first);
    assertReplay(await register(), first);
    assert.deepEqual(await added(), ONE_ACCOUNT);
    const me = await service.api.get('/api/v1/me', { token: first.body.access_token });
    assert.equal(me.body.data.email, person.email);
  });

  test('the Location of a response and of its replay is below the path of PUBLIC_URL', async () => {
    const create = keyed(newKey());
    const first = await post('/api/v1/users', {}, create);
    assert.equal(first.headers.get('location'), `/accounts/api/v1/users/${first.body.data.id}`);
    assertReplay(await post('/api/v1/users', {}, create), first);
  });

  test('another body with a used key is rejected with 422 and creates nothing', async () => {
    const [person, key] = [newUserData(), newKey()];
    const first = await post('/api/v1/users', { email: person.email }, keyed(key));
    const added = await watch();
    const others = [{ email: newUserData().email }, { ...person }, { email: person.email, ignored: 1 }, {}];
    for (const body of others) {
      const { status, headers, body: errorResponse } = await post('/api/v1/users', body, keyed(key));
      assert.equal(status, 422);
      assert.equal(headers.get('link'), `<${PUBLIC_URL}/docs/idempotency>; rel="describedby"`);
      const error = 'Idempotency-Key is already used';
      assert.deepEqual(errorResponse, { error, code: 'idempotency_key_reused' });
    }
    assertReplay(await post('/api/v1/users', { email: person.email }, keyed(key)), first);
    assert.deepEqual(await added(), NOTHING);
  });

  test('the 409 of an email that is taken is replayed', async () => {
    const { name, email } = newUserData();
    await post('/api/v1/users', { name, email }, admin);
    const create = (key: string, accept: string) =>
      post('/api/v1/users', { name, email }, keyed(key, { ...admin, headers: { accept } }));
    for (const accept of ['application/json', 'application/problem+json']) {
      const [key, added] = [newKey(), await watch()];
      const first = await create(key, accept);
      assert.equal(first.status, 409);
      assert.equal(first.body.code, 'email_taken');
      assertReplay(await create(key, accept), first);
      assert.deepEqual(await added(), { ...NOTHING, responses: 1 });
    }
  });

  test('the administrator gets the record of the first response as a replay, also after an update', async () => {
    const [{ name, email }, key] = [newUserData(), newKey()];
    const create = () => post('/api/v1/users', { name, email }, keyed(key, admin));
    const first = await create();
    assert.equal(first.body.data.email, email);
    const headers = { 'if-match': first.headers.get('etag')! };
    const { id } = first.body.data;
    await service.api.patch(`/api/v1/users/${id}`, { name: 'Another' }, { ...admin, headers });
    assertReplay(await create(), first);
  });
});

function assertProcessed(response: ApiResponse): void {
  assert.equal(response.status, 201);
  assert.equal(replayed(response), null);
}

describeOnSqlite('requests whose Idempotency-Key stores nothing', (engine) => {
  const service = useService(engine);
  const watch = () => watchTally(service.database);
  const post: typeof service.api.post = (...request) => service.api.post(...request);

  test('a request with a used key is processed after a 400 for an invalid body', async () => {
    const [person, key, added] = [newUserData(), newKey(), await watch()];
    for (const body of [{ ...person, password: 'short' }, {}, []]) {
      assert.equal((await post('/api/register', body, keyed(key))).status, 400);
    }
    assert.deepEqual(await added(), NOTHING);
    assertProcessed(await post('/api/register', person, keyed(key)));
    assert.deepEqual(await added(), ONE_ACCOUNT);
  });

  test('operations without support for Idempotency-Key ignore a valid or malformed one and store nothing', async () => {
    const { api } = service;
    const { name, email } = newUserData();
    const { id } = (await api.post('/api/v1/users', { name, email }, admin)).body.data;
    const added = await watchTally(service.database);
    const fields = { fields: [{ label: 'label', type: 'text', is_required: true }] };
    for (const key of ['two words', 'weak', 'weak']) {
      const options = keyed(key, editor);
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
