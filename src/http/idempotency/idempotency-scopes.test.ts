import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, ApiResponse } from '../../../test/support/api.ts';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { insertLoggedInUser } from '../../../test/support/people.ts';
import { ADMIN_TOKEN, newPerson, useService } from '../../../test/support/service.ts';

const HOME = '192.0.2.1';
const MOBILE = '198.51.100.7';
const environment = { TRUST_PROXY: '127.0.0.1' };

function from(address: string, key: string, request: ApiRequest = {}): ApiRequest {
  return keyed(key, { ...request, headers: { ...request.headers, 'x-forwarded-for': address } });
}

/** What there is to an answer: carried out with this id, given again with this id, or refused. */
function outcomeOf(answer: ApiResponse): string {
  if (answer.status !== 201) return answer.body.code;
  return `${replayed(answer) === 'true' ? 'again' : 'new'} ${answer.headers.get('location')}`;
}

function assertAllNew(outcomes: readonly string[]): void {
  for (const outcome of outcomes) assert.match(outcome, /^new /);
  assert.equal(new Set(outcomes).size, outcomes.length);
}

const again = (outcome: string) => outcome.replace(/^new /, 'again ');

describeOnEachEngine('the key of a stranger', (engine) => {
  const service = useService(engine, { environment });
  const create = async (body: unknown, request: ApiRequest) =>
    outcomeOf(await service.api.post('/api/v1/users', body, request));
  const newBody = () => ({ email: newPerson().email });

  test('gives the answer again in another network, to whoever sends the whole body', async () => {
    const [person, key] = [newPerson(), newKey()];
    const added = await watchTally(service.service.database);
    const first = await service.api.post('/api/register', person, from(HOME, key));
    const second = await service.api.post('/api/register', person, from(MOBILE, key));
    assert.equal(outcomeOf(second), again(outcomeOf(first)));
    assert.equal(second.text, first.text);
    assert.deepEqual(await added(), ONE_ACCOUNT);
    const guess = { ...person, password: 'a guess at the password' };
    const refused = await service.api.post('/api/register', guess, from(MOBILE, key));
    assert.equal(outcomeOf(refused), 'email_taken');
    assert.ok(!refused.text.includes(first.body.access_token));
  });

  test('is another key in another network when the body is another', async () => {
    const [one, other, key] = [newBody(), newBody(), newKey()];
    const first = await create(one, from(HOME, key));
    const second = await create(other, from(MOBILE, key));
    assertAllNew([first, second]);
    for (const address of [HOME, MOBILE]) {
      assert.equal(await create(one, from(address, key)), again(first));
      assert.equal(await create(other, from(address, key)), again(second));
      assert.equal(await create(newBody(), from(address, key)), 'idempotency_key_reused');
    }
  });

  test('belongs to an IPv4 address, and to the first 64 bits of an IPv6 address', async () => {
    const key = newKey();
    const first = await create(newBody(), from('2001:db8:1:2::1', key));
    const added = await watchTally(service.service.database);
    for (const neighbour of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', '2001:0DB8:1:2::9']) {
      assert.equal(await create(newBody(), from(neighbour, key)), 'idempotency_key_reused');
    }
    assert.deepEqual(await added(), NOTHING);
    const strangers = ['2001:db8:1:3::1', HOME, '192.0.2.2'];
    const outcomes: string[] = [first];
    for (const address of strangers) outcomes.push(await create(newBody(), from(address, key)));
    assertAllNew(outcomes);
    assert.equal(await create(newBody(), from(`::ffff:${HOME}`, key)), 'idempotency_key_reused');
  });

  test('is another key for another operation', async () => {
    const [person, key] = [newPerson(), newKey()];
    const register = async () => outcomeOf(await service.api.post('/api/register', person, from(HOME, key)));
    const outcomes = [await register(), await create(person, from(HOME, key))];
    assertAllNew(outcomes);
    assert.equal(await register(), again(outcomes[0]!));
    assert.equal(await create(person, from(HOME, key)), again(outcomes[1]!));
  });
});

describeOnEachEngine('the key of a caller with a credential', (engine) => {
  const service = useService(engine, { environment });
  const create = async (body: unknown, request: ApiRequest) =>
    outcomeOf(await service.api.post('/api/v1/users', body, request));

  test('meets neither those of strangers nor those of others with a credential', async () => {
    const { database } = service.service;
    const callers = [
      {},
      { token: (await insertLoggedInUser(database)).token },
      { token: (await insertLoggedInUser(database)).token },
      { token: ADMIN_TOKEN },
    ];
    const [{ name, email }, key] = [newPerson(), newKey()];
    const outcomes: string[] = [];
    for (const caller of callers) outcomes.push(await create({ name, email }, from(HOME, key, caller)));
    assertAllNew(outcomes);
    for (const [index, caller] of callers.entries()) {
      assert.equal(await create({ name, email }, from(MOBILE, key, caller)), again(outcomes[index]!));
    }
  });

  test('is the same key from everywhere, also when the body is another', async () => {
    const user = await insertLoggedInUser(service.service.database);
    for (const { token } of [user, { token: ADMIN_TOKEN }]) {
      const [{ name, email }, key] = [newPerson(), newKey()];
      const first = await create({ name, email }, from(HOME, key, { token }));
      assertAllNew([first]);
      const other = { name, email: newPerson().email };
      assert.equal(await create(other, from(MOBILE, key, { token })), 'idempotency_key_reused');
    }
  });
});
