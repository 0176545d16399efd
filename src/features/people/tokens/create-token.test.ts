import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyed, newKey, replayed } from '../../../../test/support/keyed.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { editor, openService, useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../../test/support/users.ts';
import { DAY, formatTimestamp } from '../../../lib/time.ts';

const PATH = '/api/v1/tokens';
const YEAR_SECONDS = 365 * 86_400;

describeOnEachEngine('POST /api/v1/tokens', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;
  const create = (token: string, body: unknown, request = {}) =>
    service.api.post(PATH, body, { ...request, token });

  test('POST /api/v1/tokens returns a token with the requested name, scopes and lifetime once, which is valid', async () => {
    const user = await insertLoggedInUser(service.database);
    const input = {
      name: ' Backup ',
      scopes: ['tokens:manage', 'self:read', 'self:read'],
      expires_in: 3_600,
    };
    const { status, headers, body } = await create(user.token, input);
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('pragma'), 'no-cache');
    const { access_token: token, id, created_at, ...data } = body.data;
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.deepEqual(data, {
      token_type: 'Bearer',
      expires_in: 3_600,
      name: 'Backup',
      first_characters: token.slice(0, 12),
      scopes: ['self:read', 'tokens:manage'],
      last_used_at: null,
      expires_at: formatTimestamp(Date.parse(created_at) + 3_600_000),
      device: 'node',
      network: '127.0.0.0/24',
      last_used_network: null,
      current: false,
    });
    const list = await service.api.get(PATH, { token });
    const [first, second] = list.body.data;
    const { current, ...listed } = first;
    assert.equal(current, true);
    assert.deepEqual(listed.id, id);
    assert.equal(listed.first_characters, token.slice(0, 12));
    assert.equal(second.first_characters, user.token.slice(0, 12));
    assert.ok(!list.text.includes(token) && !list.text.includes(user.token));
    assert.deepEqual(await listEvents(service, user.id), ['token.created by user']);
  });

  test('POST /api/v1/tokens rejects the 51st token with 409 and revokes none, also of ten concurrent requests', async () => {
    const user = await insertLoggedInUser(database);
    for (let count = 1; count < 45; count++) await insertTestToken(database, user.id);
    await insertTestToken(database, user.id, { expiresAt: Date.now() - DAY });
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(user.token, { name: `Token ${index}` })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(5).fill(409)]);
    const { body } = await create(user.token, { name: 'One more' });
    const error = 'The user has the maximum number of tokens';
    assert.deepEqual(body, { error, code: 'too_many_tokens' });
    const list = (await service.api.get(PATH, { token: user.token })).body.data;
    assert.equal(list.length, 50);
    assert.equal((await service.api.delete(`${PATH}/${list[0].id}`, { token: user.token })).status, 204);
    assert.equal((await create(user.token, { name: 'One more' })).status, 201);
  });

  test('POST /api/v1/tokens returns the same token to a retry with the same Idempotency-Key, and creates one', async () => {
    const user = await insertLoggedInUser(service.database);
    const request = keyed(newKey());
    const first = await create(user.token, { name: 'CI' }, request);
    const retry = await create(user.token, { name: 'CI' }, request);
    assert.equal(replayed(retry), 'true');
    assert.equal(retry.text, first.text);
    assert.deepEqual(await listEvents(service, user.id), ['token.created by user']);
    assert.equal((await create(user.token, { name: 'Other' }, request)).body.code, 'idempotency_key_reused');
    assert.equal((await service.api.delete(first.headers.get('location')!, user)).status, 204);
    const after = await create(user.token, { name: 'CI' }, request);
    assert.notEqual(after.body.data.access_token, first.body.data.access_token, 'not the revoked one');
  });

  test('POST /api/v1/tokens creates no token that survives a concurrent logout of all sessions', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await insertLoggedInUser(database);
      const [created, loggedOut] = await Promise.all([
        create(user.token, { name: 'CI' }),
        service.api.post('/api/logout', { scope: 'all' }, { token: user.token }),
      ]);
      assert.equal(loggedOut.status, 200);
      if (created.status !== 201) {
        assert.equal(created.status, 401);
        assert.match(created.headers.get('www-authenticate')!, /error="invalid_token"/);
      } else {
        const { access_token: token } = created.body.data;
        assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
      }
    }
  });

  test('POST /api/v1/tokens creates no token that survives a concurrent disabling of the user', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await insertLoggedInUser(database);
      const [created, disabled] = await Promise.all([
        create(user.token, { name: 'CI' }),
        service.api.patch(`/api/v1/users/${user.id}`, { state: 'disabled' }, editor),
      ]);
      assert.equal(disabled.status, 200);
      const token = created.body.data?.access_token ?? user.token;
      assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
    }
  });

  if (engine === 'postgres') return;

  test('POST /api/v1/tokens grants the scopes of the token of the request and 30 days by default', async () => {
    const { id } = await insertTestUser(database);
    for (const scopes of ['self:read self:write tokens:manage', 'self:read tokens:manage']) {
      const { token } = await insertTestToken(database, id, { scopes });
      const { body } = await create(token, { name: 'CI' });
      assert.deepEqual(body.data.scopes, scopes.split(' '));
      assert.equal(body.data.expires_in, 30 * 86_400);
    }
  });

  test('POST /api/v1/tokens creates a token that expires at its time, and at most after a year', async (context) => {
    let now = Date.UTC(2026, 2, 1);
    const environment = { TOKEN_LIFETIME_DAYS: '3650' };
    const other = await openService(context, engine, { environment, clock: () => now });
    const { token } = await insertLoggedInUser(other.service.database, now);
    const long = await other.api.post(PATH, { name: 'a' }, { token });
    assert.equal(long.body.data.expires_in, YEAR_SECONDS);
    const short = (await other.api.post(PATH, { name: 'b', expires_in: 60 }, { token })).body.data;
    const getStatus = async () => (await other.api.get('/api/v1/me', { token: short.access_token })).status;
    now += 59_999;
    assert.equal(await getStatus(), 200);
    now += 1;
    assert.equal(await getStatus(), 401);
  });

  test('POST /api/v1/tokens does not return the stored token of a retry to a token with fewer scopes', async () => {
    const user = await insertLoggedInUser(database);
    const limited = await insertTestToken(database, user.id, { scopes: 'self:read tokens:manage' });
    const request = keyed('a-guessable-key');
    const first = await create(user.token, { name: 'CI' }, request);
    const second = await create(limited.token, { name: 'CI' }, request);
    assert.equal(replayed(second), null);
    assert.notEqual(second.body.data.access_token, first.body.data.access_token);
    assert.deepEqual(second.body.data.scopes, ['self:read', 'tokens:manage']);
  });
});
