import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../../test/support/credentials.ts';
import { limited, limitFields, manualClock } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../../test/support/users.ts';
import { newToken } from '../../../lib/secrets/tokens.ts';
import { DAY, HOUR } from '../../../lib/time.ts';

const PATH = '/api/v1/tokens/verify';
const INACTIVE = { active: false };

describeOnSqlite('POST /api/v1/tokens/verify', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const { database } = service;
  const verify = (body: object, token = ADMIN_TOKEN) => service.api.post(PATH, body, { token });
  const logIn = () => insertLoggedInUser(service.database, clock.now);

  test('verification of one valid token returns the members of RFC 7662, which no cache stores', async () => {
    const user = await logIn();
    const { secret } = await createCredential(service, ['tokens:verify']);
    const { status, headers, body } = await verify({ token: user.token }, secret);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    const iat = clock.now / 1000;
    assert.deepEqual(body, {
      active: true,
      sub: user.id,
      username: user.email,
      scope: 'self:read self:write tokens:manage',
      token_type: 'Bearer',
      exp: iat + 30 * 86_400,
      iat,
    });
  });

  test('verification returns level, state, email_verified and metadata if the request includes them', async () => {
    const metadata = { userMetadata: '{"theme":"dark"}', appMetadata: '{"plan":"pro"}' };
    const gold = await insertTestUser(database, { level: 'gold', email: null, emailKey: null, ...metadata });
    const plain = await insertTestUser(database);
    const times = { createdAt: clock.now, expiresAt: clock.now + 1_500 };
    const tokens = [];
    for (const { id } of [gold, plain]) tokens.push((await insertTestToken(database, id, times)).token);
    const include = ['app_metadata', 'user_metadata', 'email_verified', 'state', 'level', 'state'];
    const { body } = await verify({ tokens, include });
    const common = { active: true, scope: 'self:read', token_type: 'Bearer' };
    const created = clock.now / 1000;
    const lifetime = { iat: created, exp: created + 1 };
    const account = { state: 'active', email_verified: false };
    const empty = { user_metadata: {}, app_metadata: {} };
    assert.deepEqual(body, {
      message: 'Tokens verified',
      data: [
        {
          ...{ ...common, ...lifetime, ...account, sub: gold.id, level: 'gold' },
          user_metadata: { theme: 'dark' },
          app_metadata: { plan: 'pro' },
        },
        { ...common, ...lifetime, ...account, ...empty, sub: plain.id, username: plain.email, level: null },
      ],
    });
  });

  test('verification of 100 tokens returns the results in their order, also of repeated ones', async () => {
    const users = [await logIn(), await logIn()];
    const expiry = { createdAt: clock.now, expiresAt: clock.now + HOUR };
    const own = await Promise.all(
      Array.from({ length: 40 }, (_, index) => insertTestToken(database, users[index % 2]!.id, expiry)),
    );
    const tokens = Array.from({ length: 100 }, (_, index) => own[(index * 7) % 60]?.token ?? newToken());
    const { status, body } = await verify({ tokens });
    assert.equal(status, 200);
    const expected = tokens.map((_, index) =>
      (index * 7) % 60 < 40 ? users[((index * 7) % 60) % 2]!.id : undefined,
    );
    assert.deepEqual(
      body.data.map(({ sub }: { sub?: string }) => sub),
      expected,
    );
  });

  test('verification says nothing but inactive of unknown, malformed, revoked and expired tokens and of disabled and deleted users', async () => {
    const [revoked, disabled, deleted] = [await logIn(), await logIn(), await logIn()];
    const headers = { 'if-match': '*' };
    const asAdmin = { token: ADMIN_TOKEN, headers };
    await service.api.post('/api/logout', undefined, { token: revoked.token });
    await service.api.patch(`/api/v1/users/${disabled.id}`, { state: 'disabled' }, asAdmin);
    await service.api.delete(`/api/v1/users/${deleted.id}`, asAdmin);
    const { secret } = await createCredential(service, ['tokens:verify']);
    const malformed = ['x', `${newToken()}x`, 'a'.repeat(5_000), 'fd_pat_\0', secret, ADMIN_TOKEN];
    const tokens = [newToken(), ...malformed, revoked.token, disabled.token, deleted.token];
    const { body } = await verify({ tokens });
    assert.deepEqual(
      body.data,
      tokens.map(() => INACTIVE),
    );
    for (const token of tokens)
      assert.deepEqual((await verify({ token, include: ['level'] })).body, INACTIVE);
  });

  test('verification finds a token inactive from its expiry on, and is no use of the token', async () => {
    const user = await logIn();
    clock.now += 30 * DAY - 1;
    assert.equal((await verify({ token: user.token })).body.active, true);
    const list = await service.api.get(`/api/v1/users/${user.id}/tokens`, admin);
    assert.equal(list.body.data[0].last_used_at, null);
    clock.now += 1;
    assert.deepEqual((await verify({ token: user.token })).body, INACTIVE);
  });

  const rejected: readonly [object, object][] = [
    [{}, { token: ['The token field is required.'] }],
    [{ token: '' }, { token: ['The token field is required.'] }],
    [{ token: 1 }, { token: ['The token field must be a string.'] }],
    [{ token: 'a', tokens: ['b'] }, { tokens: ['The tokens field is not allowed beside the token field.'] }],
    [{ tokens: [] }, { tokens: ['The tokens field must have at least 1 items.'] }],
    [{ tokens: Array(101).fill('a') }, { tokens: ['The tokens field must not have more than 100 items.'] }],
    [{ tokens: [1] }, { tokens: ['The tokens field must be a string.'] }],
    [{ token: 'a', include: ['email'] }, { include: ['The selected include is invalid.'] }],
    [{ token: 'a', cached: true }, { cached: ['The cached field is not allowed here.'] }],
  ];
  test('verification rejects an invalid body with 400, which names the member', async () => {
    for (const [body, errors] of rejected) {
      const { status, body: response } = await verify(body);
      assert.deepEqual([status, response.errors], [400, errors], JSON.stringify(body));
    }
  });
});

describeOnSqlite('RATE_LIMIT_VERIFY', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_VERIFY: '2/60' }));
  const verify = (token: string) => service.api.post(PATH, { tokens: ['a', 'b', 'c'] }, { token });

  test('RATE_LIMIT_VERIFY counts requests of one credential in place of its other limits, and nothing else that it does', async () => {
    const one = await createCredential(service, ['tokens:verify', 'users:read']);
    const two = await createCredential(service, ['tokens:verify']);
    for (const remaining of [1, 0]) {
      const { status, headers } = await verify(one.secret);
      assert.equal(status, 200);
      assert.equal(limitFields(headers)[0], '"verify";q=2;w=60');
      assert.match(limitFields(headers)[1]!, new RegExp(`^"verify";r=${remaining};`));
    }
    const { status, body, headers } = await verify(one.secret);
    assert.deepEqual([status, body.code], [429, 'rate_limited_verify']);
    assert.ok(Number(headers.get('retry-after')) > 0);
    const users = await service.api.get('/api/v1/users', { token: one.secret });
    assert.equal(users.status, 200);
    assert.match(limitFields(users.headers)[1]!, /^"credential-read";r=5999;/);
    for (const credential of [two.secret, ADMIN_TOKEN]) assert.equal((await verify(credential)).status, 200);
  });
});
