import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyed, newKey, replayed } from '../../../../test/support/keyed.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { assertExactFigures } from '../../../../test/support/statistics/statistics.ts';
import {
  insertLoggedInUser,
  insertTestToken,
  insertTestUser,
  register,
} from '../../../../test/support/users.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, formatTimestamp, HOUR } from '../../../lib/time.ts';

const MARCH = Date.UTC(2026, 2, 1);
const SCOPES = 'self:read tokens:manage';

describeOnEachEngine('POST /api/v1/tokens/{id}/rotate', (engine) => {
  let now = MARCH;
  const service = useService(engine, { clock: () => now });
  const { database } = service;
  const rotate = (token: string, id: string, { body, ...request }: { body?: unknown } = {}) =>
    service.api.post(`/api/v1/tokens/${id}/rotate`, body, { ...request, token });
  const getStatus = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;
  const newUser = async () => {
    now = MARCH;
    const user = await insertLoggedInUser(database, now);
    const [own] = (await service.api.get('/api/v1/tokens', { token: user.token })).body.data;
    return { ...user, tokenId: own.id as string };
  };
  const createToken = async (token: string, input: object) =>
    (await service.api.post('/api/v1/tokens', { name: 'CI', ...input }, { token })).body.data;

  test('the rotation of a token replaces it at once, with the same name, scopes and length of life', async () => {
    const user = await newUser();
    const old = await createToken(user.token, { scopes: SCOPES.split(' '), expires_in: 7_200 });
    now += HOUR;
    const { status, headers, body } = await rotate(old.access_token, old.id);
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    const { access_token: token, id, ...data } = body.data;
    assert.equal(headers.get('location'), `/api/v1/tokens/${id}`);
    assert.deepEqual(data, {
      token_type: 'Bearer',
      expires_in: 7_200,
      name: 'CI',
      first_characters: token.slice(0, 12),
      scopes: SCOPES.split(' '),
      created_at: formatTimestamp(now),
      last_used_at: null,
      expires_at: formatTimestamp(now + 2 * HOUR),
      device: 'node',
      network: '127.0.0.0/24',
      last_used_network: null,
      current: false,
    });
    assert.equal(await getStatus(old.access_token), 401);
    assert.equal(await getStatus(token), 200);
    assert.equal(await getStatus(user.token), 200, 'another token of the user');
    assert.equal((await rotate(old.access_token, old.id)).status, 401);
    assert.equal((await rotate(token, old.id)).body.code, 'token_not_found');
    const events = await listEvents(service, user.id);
    assert.deepEqual(events, ['token.created by user', 'token.rotated by user']);
  });

  test('the rotation of a token leaves the replaced one valid for the overlap, but no longer than it was granted', async () => {
    for (const [overlap, seconds] of [
      [60, 60],
      [86_400, 3_600],
    ] as const) {
      const user = await newUser();
      const old = await createToken(user.token, { expires_in: 3_600 });
      const successor = await rotate(user.token, old.id, { body: { overlap } });
      assert.equal(successor.body.data.expires_in, 3_600);
      now += seconds * 1000 - 1;
      assert.equal(await getStatus(old.access_token), 200);
      await assertExactFigures(service.database);
      now += 1;
      assert.equal(await getStatus(old.access_token), 401);
    }
  });

  test('a token has one successor: a second rotation within the overlap is rejected with 409', async () => {
    const { token, tokenId } = await newUser();
    const body = { overlap: 60 };
    assert.equal((await rotate(token, tokenId, { body })).status, 201);
    for (const again of [{ body }, {}]) {
      const rejected = await rotate(token, tokenId, again);
      assert.equal(rejected.status, 409);
      assert.deepEqual(rejected.body, { error: 'The token has been rotated', code: 'token_already_rotated' });
    }
    assert.equal((await service.api.get('/api/v1/tokens', { token })).body.data.length, 2);
  });

  for (const [overlap, rejection] of [
    [0, 404],
    [60, 409],
  ] as const) {
    test(`six concurrent rotations with overlap ${overlap} create one successor, and the others get ${rejection}`, async () => {
      const user = await newUser();
      const old = await createToken(user.token, {});
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => rotate(user.token, old.id, { body: { overlap } })),
      );
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, ...Array(5).fill(rejection)]);
      const { data } = (await service.api.get('/api/v1/tokens', { token: user.token })).body;
      assert.equal(data.length, overlap === 0 ? 2 : 3);
    });
  }

  test('the rotation of a token returns no successor that survives a concurrent revocation by the user', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await newUser();
      const other = await insertTestToken(database, user.id, { scopes: SCOPES, expiresAt: now + DAY });
      const [rotated, revoked] = await Promise.all([
        rotate(other.token, other.id),
        service.api.delete('/api/v1/tokens?except=current', { token: user.token }),
      ]);
      assert.equal(revoked.status, 200);
      const token = rotated.body.data?.access_token ?? other.token;
      assert.equal(await getStatus(token), 401);
    }
  });

  test('the rotation of a token returns no successor that survives a concurrent change of the password', async () => {
    const person = await register(service);
    const other = await insertTestToken(database, person.id, { scopes: SCOPES, expiresAt: now + DAY });
    const input = { current_password: person.password, password: 'paper lantern under the bridge' };
    const change = service.api.put('/api/v1/me/password', input, person);
    let { token, id } = other;
    // One rotation after the other while the passwords are hashed, until the change has revoked the last token.
    for (let status = 201; status === 201; ) {
      const rotated = await rotate(token, id);
      status = rotated.status;
      if (status === 201) ({ access_token: token, id } = rotated.body.data);
      else assert.equal(status, 401);
    }
    assert.equal((await change).status, 200);
    assert.equal(await getStatus(token), 401);
    assert.equal(await getStatus(person.token), 200);
  });

  test('the rotation of a token is replayed to a retry with the same Idempotency-Key during the overlap', async () => {
    const { token, tokenId, id } = await newUser();
    const request = { ...keyed(newKey()), body: { overlap: 60 } };
    const first = await rotate(token, tokenId, request);
    const retry = await rotate(token, tokenId, request);
    assert.equal(replayed(retry), 'true');
    assert.equal(retry.text, first.text);
    assert.deepEqual(await listEvents(service, id), ['token.rotated by user']);
  });

  test('the rotation of a token rejects those of other users, expired tokens and unknown ids with 404', async () => {
    const user = await newUser();
    const foreign = await insertTestToken(database, (await insertTestUser(database)).id);
    const expired = await insertTestToken(database, user.id, { expiresAt: now });
    for (const id of [foreign.id, expired.id, newId(), 'nothing', '%00']) {
      const { status, body } = await rotate(user.token, id);
      assert.equal(status, 404, id);
      assert.equal(body.code, 'token_not_found');
    }
  });

  test('the rotation of a token with overlap is rejected with 409 where it would be the 51st, but not without', async () => {
    const { token, tokenId, id } = await newUser();
    for (let count = 1; count < 50; count++) await insertTestToken(database, id);
    const { body } = await rotate(token, tokenId, { body: { overlap: 60 } });
    assert.equal(body.code, 'too_many_tokens');
    assert.equal((await rotate(token, tokenId)).status, 201);
  });

  test('the rotation of a token grants at most a year, also to a token of a longer life', async () => {
    const user = await newUser();
    const old = await insertTestToken(database, user.id, { expiresAt: Date.now() + 1_000 * DAY });
    const { body } = await rotate(user.token, old.id);
    assert.equal(body.data.expires_in, 365 * 86_400);
  });

  test('rotated tokens are counted in the hour in which they expire', async () => {
    await assertExactFigures(service.database);
  });
});
