import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyed, newKey, ONE_RECORD, readTally, replayed, watchTally } from '../../../test/support/keyed.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, editor, newUserData, useService } from '../../../test/support/service.ts';
import { deleteExpiredClaims } from '../../idempotency/queries.ts';
import { HOUR } from '../../lib/time.ts';

describeOnEachEngine('the lifetime of stored responses', (engine) => {
  const clock = { now: Date.now() };
  const service = useService(engine, { clock: () => clock.now });
  const post: typeof service.api.post = (...request) => service.api.post(...request);
  const registerKeyed = async () => {
    const [person, key] = [newUserData(), newKey()];
    const first = await post('/api/register', person, keyed(key));
    const { access_token: token } = first.body;
    const retry = () => post('/api/register', person, keyed(key));
    assert.equal(replayed(await retry()), 'true');
    return { person, path: first.headers.get('location')!, token, retry };
  };

  const revocations = {
    'the logout of its token': ({ token }: { token: string }) => post('/api/logout', undefined, { token }),
    'the disabling of its user': ({ path }: { path: string }) =>
      service.api.patch(path, { state: 'disabled' }, editor),
  };
  for (const [event, revoke] of Object.entries(revocations)) {
    test(`the stored response is deleted with ${event}`, async () => {
      const registered = await registerKeyed();
      const { responses } = await readTally(service.database);
      assert.equal((await revoke(registered)).status, 200);
      assert.equal((await readTally(service.database)).responses, responses - 1);
      const { status, body, text, headers } = await registered.retry();
      assert.equal(status, 409);
      assert.equal(body.code, 'email_taken');
      assert.equal(headers.get('idempotent-replayed'), null);
      assert.ok(!text.includes(registered.token));
    });
  }

  test('the stored response is deleted with its user, so that a retry creates a new account', async () => {
    const { path, token, retry } = await registerKeyed();
    const { responses } = await readTally(service.database);
    assert.equal((await service.api.delete(path, admin)).status, 204);
    assert.equal((await readTally(service.database)).responses, responses - 1);
    const response = await retry();
    assert.equal(response.status, 201);
    assert.equal(replayed(response), null);
    assert.notEqual(response.headers.get('location'), path);
    assert.notEqual(response.body.access_token, token);
  });

  test('the stored response is kept when another token of the user logs out', async () => {
    const { person, retry, path } = await registerKeyed();
    const { email, password } = person;
    const { access_token: other } = (await post('/api/login', { email, password })).body;
    assert.equal((await post('/api/logout', undefined, { token: other })).status, 200);
    const response = await retry();
    assert.equal(replayed(response), 'true');
    assert.equal(response.headers.get('location'), path);
  });

  test('a stored response is replayed for 24 hours after the first request, and then the key is new', async () => {
    const key = newKey();
    const create = (name: string) => post('/api/v1/users', { name }, keyed(key));
    const first = await create('One');
    clock.now += 12 * HOUR;
    assert.equal((await create('One')).text, first.text);
    clock.now += 12 * HOUR - 1;
    const last = await create('One');
    assert.equal(replayed(last), 'true');
    assert.equal(last.text, first.text);
    clock.now += 1;
    const added = await watchTally(service.database);
    const anew = await create('Another');
    assert.equal(anew.status, 201);
    assert.equal(replayed(anew), null);
    assert.deepEqual(await added(), { ...ONE_RECORD, responses: 0 });
    assert.equal((await create('Another')).text, anew.text);
  });

  test('expired stored responses are deleted in batches, and the others are kept', async () => {
    const { database } = service;
    const sweep = () => database.transaction((tx) => deleteExpiredClaims(tx, clock.now, 2));
    clock.now += 24 * HOUR;
    while ((await sweep()) > 0);
    assert.equal((await readTally(database)).responses, 0);
    for (let index = 0; index < 3; index++) await post('/api/v1/users', {}, keyed(newKey()));
    assert.equal(await sweep(), 0);
    clock.now += 24 * HOUR;
    await post('/api/v1/users', {}, keyed(newKey()));
    assert.deepEqual([await sweep(), await sweep(), await sweep()], [2, 1, 0]);
    assert.equal((await readTally(database)).responses, 1);
  });
});
