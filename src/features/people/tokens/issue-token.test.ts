import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertTestUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { hashToken, newToken } from '../../../lib/secrets/tokens.ts';
import { issueToken, MAX_TOKENS_PER_USER } from './issue-token.ts';
import { insertToken, listLiveTokens } from './queries.ts';

const STORED = sql<Record<string, unknown>>('select * from tokens where user_id = $1');

describeOnEachEngine('issueToken', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;

  test('issueToken stores the hash, the scopes and the expiry of a token, but not the token', async () => {
    const { id } = await insertTestUser(database);
    const now = Date.UTC(2026, 5, 1);
    const issued = await database.transaction((tx) =>
      issueToken(tx, { userId: id, now, lifetimeSeconds: 3_600 }),
    );
    assert.equal(issued.expiresInSeconds, 3_600);
    const rows = await database.all(STORED, id);
    assert.equal(rows.length, 1);
    const { id: tokenId, ...row } = rows[0]!;
    assert.notEqual(tokenId, id);
    assert.deepEqual(
      { ...row },
      {
        hash: hashToken(issued.accessToken),
        user_id: id,
        name: 'auth_token',
        scopes: 'self:read self:write tokens:manage',
        created_at: now,
        last_used_at: null,
        first_characters: issued.accessToken.slice(0, 12),
        rotated_at: null,
        session_id: null,
        application_id: null,
        family_id: null,
        device: null,
        network: null,
        last_used_network: null,
        expires_at: now + 3_600_000,
      },
    );
  });

  test('issueToken revokes the oldest of 50 tokens when the 51st is issued, and no other', async () => {
    const user = await register(service);
    const tokens = [user.token];
    await database.transaction(async (tx) => {
      const now = Date.now();
      for (let count = 1; count < MAX_TOKENS_PER_USER; count++) {
        tokens.push((await issueToken(tx, { userId: user.id, now, lifetimeSeconds: 3_600 })).accessToken);
      }
    });
    const getStatus = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;
    assert.equal(await getStatus(user.token), 200);
    const login = await service.api.post('/api/login', user);
    assert.equal(login.status, 200);
    assert.equal(await getStatus(user.token), 401);
    const live = await Promise.all([...tokens.slice(1), login.body.access_token].map(getStatus));
    assert.deepEqual(live, Array(MAX_TOKENS_PER_USER).fill(200));
    const list = await listLiveTokens(database, user.id, Date.now());
    assert.equal(list.length, MAX_TOKENS_PER_USER);
  });

  test('issueToken keeps the new token when other tokens were issued by a node whose clock is ahead', async () => {
    const { id: userId } = await insertTestUser(database);
    const now = Date.now();
    await database.transaction(async (tx) => {
      for (let count = 0; count < MAX_TOKENS_PER_USER; count++) {
        const times = { created_at: now, expires_at: now + 3_600_000 };
        // An id of the future: within one process ids are monotonic, whatever the clock does.
        const id = `ffffffff-ffff-7fff-8fff-${String(count).padStart(12, '0')}`;
        const hash = hashToken(newToken());
        const row = { hash, id, userId, name: 'auth_token', first_characters: null, scopes: '' };
        await insertToken(tx, { ...row, ...times });
      }
    });
    for (let round = 0; round < 2; round++) {
      const { accessToken } = await database.transaction((tx) =>
        issueToken(tx, { userId, now, lifetimeSeconds: 3_600 }),
      );
      assert.equal((await service.api.get('/api/v1/me', { token: accessToken })).status, 200);
      assert.equal((await listLiveTokens(database, userId, now)).length, MAX_TOKENS_PER_USER);
    }
  });

  test('issueToken does not count the tokens of other users', async () => {
    const [one, other] = [await insertTestUser(database), await insertTestUser(database)];
    const issue = (id: string) =>
      database.transaction((tx) => issueToken(tx, { userId: id, now: Date.now(), lifetimeSeconds: 3_600 }));
    await issue(one.id);
    for (let count = 0; count <= MAX_TOKENS_PER_USER; count++) await issue(other.id);
    assert.equal((await listLiveTokens(database, one.id, Date.now())).length, 1);
    assert.equal((await listLiveTokens(database, other.id, Date.now())).length, MAX_TOKENS_PER_USER);
  });
});
