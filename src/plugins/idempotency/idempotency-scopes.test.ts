import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, ApiResponse } from '../../../test/support/api.ts';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

const HOME = '192.0.2.1';
const MOBILE = '198.51.100.7';
const environment = { TRUST_PROXY: '127.0.0.1' };

function fromIp(clientIp: string, key: string, request: ApiRequest = {}): ApiRequest {
  return keyed(key, { ...request, headers: { ...request.headers, 'x-forwarded-for': clientIp } });
}

/** Summarises a response: processed or replayed, with the Location; or the code of an error response. */
function describeOutcome(response: ApiResponse): string {
  if (response.status !== 201) return response.body.code;
  return `${replayed(response) === 'true' ? 'replayed' : 'new'} ${response.headers.get('location')}`;
}

function assertAllNew(outcomes: readonly string[]): void {
  for (const outcome of outcomes) assert.match(outcome, /^new /);
  assert.equal(new Set(outcomes).size, outcomes.length);
}

const replay = (outcome: string) => outcome.replace(/^new /, 'replayed ');

describeOnSqlite('the scope of an Idempotency-Key', (engine) => {
  const service = useService(engine, { environment });
  const create = async (body: unknown, request: ApiRequest) =>
    describeOutcome(await service.api.post('/api/v1/users', body, request));
  const newBody = () => ({ email: newUserData().email });

  test('an anonymous key replays the response to the same body from another network, but not to another password', async () => {
    const [person, key] = [newUserData(), newKey()];
    const added = await watchTally(service.database);
    const first = await service.api.post('/api/register', person, fromIp(HOME, key));
    const second = await service.api.post('/api/register', person, fromIp(MOBILE, key));
    assert.equal(describeOutcome(second), replay(describeOutcome(first)));
    assert.equal(second.text, first.text);
    assert.deepEqual(await added(), ONE_ACCOUNT);
    const guess = { ...person, password: 'a guess at the password' };
    const rejected = await service.api.post('/api/register', guess, fromIp(MOBILE, key));
    assert.equal(describeOutcome(rejected), 'email_taken');
    assert.ok(!rejected.text.includes(first.body.access_token));
  });

  test('an anonymous key with another body from another network is processed as a new request', async () => {
    const [one, other, key] = [newBody(), newBody(), newKey()];
    const first = await create(one, fromIp(HOME, key));
    const second = await create(other, fromIp(MOBILE, key));
    assertAllNew([first, second]);
    for (const clientIp of [HOME, MOBILE]) {
      assert.equal(await create(one, fromIp(clientIp, key)), replay(first));
      assert.equal(await create(other, fromIp(clientIp, key)), replay(second));
      assert.equal(await create(newBody(), fromIp(clientIp, key)), 'idempotency_key_reused');
    }
  });

  test('an anonymous key is shared among the clients of one IPv4 address or one IPv6 /64 network', async () => {
    const key = newKey();
    const first = await create(newBody(), fromIp('2001:db8:1:2::1', key));
    const added = await watchTally(service.database);
    for (const neighbour of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', '2001:0DB8:1:2::9']) {
      assert.equal(await create(newBody(), fromIp(neighbour, key)), 'idempotency_key_reused');
    }
    assert.deepEqual(await added(), NOTHING);
    const others = ['2001:db8:1:3::1', HOME, '192.0.2.2'];
    const outcomes: string[] = [first];
    for (const clientIp of others) outcomes.push(await create(newBody(), fromIp(clientIp, key)));
    assertAllNew(outcomes);
    assert.equal(await create(newBody(), fromIp(`::ffff:${HOME}`, key)), 'idempotency_key_reused');
  });

  test('equal keys of anonymous callers, users and the administrator are separate', async () => {
    const { database } = service;
    const callers = [
      {},
      { token: (await insertLoggedInUser(database)).token },
      { token: (await insertLoggedInUser(database)).token },
      admin,
    ];
    const [{ name, email }, key] = [newUserData(), newKey()];
    const outcomes: string[] = [];
    for (const caller of callers) outcomes.push(await create({ name, email }, fromIp(HOME, key, caller)));
    assertAllNew(outcomes);
    for (const [index, caller] of callers.entries()) {
      assert.equal(await create({ name, email }, fromIp(MOBILE, key, caller)), replay(outcomes[index]!));
    }
  });

  test('another body with the key of an authenticated caller is rejected from any network with 422', async () => {
    const user = await insertLoggedInUser(service.database);
    for (const { token } of [user, admin]) {
      const [{ name, email }, key] = [newUserData(), newKey()];
      const first = await create({ name, email }, fromIp(HOME, key, { token }));
      assertAllNew([first]);
      const other = { name, email: newUserData().email };
      assert.equal(await create(other, fromIp(MOBILE, key, { token })), 'idempotency_key_reused');
    }
  });
});
