import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { keyed, NOTHING, newKey, ONE_ACCOUNT, replayed, watchTally } from '../../../test/support/keyed.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../test/support/service.ts';
import { claimRequest } from '../../idempotency/queries.ts';
import { fingerprint } from '../../idempotency/stored-response.ts';
import { deriveKey } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { HOUR } from '../../lib/time.ts';

const SECRET_KEY = 'a-secret-key-that-the-test-knows-too-4711';
const LEASE_MS = 30_000;

/** The identity of an anonymous request from 127.0.0.1, as a node inserts it before it hashes the password. */
function createIdentity(route: string, key: string, body: unknown) {
  const hmac = (text: string) =>
    createHmac('sha256', deriveKey(SECRET_KEY, 'idempotency-id')).update(text).digest('base64url');
  const secret = deriveKey(SECRET_KEY, 'idempotency-fingerprint');
  return {
    route: `POST ${route}`,
    keyHash: hmac(key),
    scope: 'anonymous',
    origin: hmac('127.0.0.1'),
    fingerprint: fingerprint(secret, { route: `POST ${route}`, params: {}, body }),
  };
}

describeOnEachEngine('the claim of a node that was killed', (engine) => {
  const clock = { now: Date.now() };
  const service = useService(engine, { environment: { SECRET_KEY }, clock: () => clock.now });
  const post: typeof service.api.post = (...request) => service.api.post(...request);

  test('retries get 409 until the lease of a killed node expires, then the request is processed once', async () => {
    const { database } = service.service;
    const [person, key] = [newUserData(), newKey()];
    const added = await watchTally(database);
    const [now, leaseUntil, expiresAt] = [clock.now, clock.now + LEASE_MS, clock.now + 24 * HOUR];
    const identity = createIdentity('/api/register', key, person);
    const claim = { id: newId(), ...identity, now, leaseUntil, expiresAt };
    assert.equal(await database.transaction((tx) => claimRequest(tx, claim)), true);
    const retry = () => post('/api/register', person, keyed(key));
    clock.now += LEASE_MS - 1;
    const busy = await retry();
    assert.equal(busy.status, 409);
    assert.equal(busy.body.code, 'idempotency_key_in_use');
    assert.equal(busy.headers.get('retry-after'), '1');
    const reused = await post('/api/register', { ...person, name: 'Another' }, keyed(key));
    assert.equal(reused.status, 422);
    assert.deepEqual(await added(), { ...NOTHING, claims: 1 });
    clock.now += 1;
    const first = await retry();
    assert.equal(first.status, 201);
    assert.equal(replayed(first), null);
    const second = await retry();
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.deepEqual(await added(), ONE_ACCOUNT);
  });
});
