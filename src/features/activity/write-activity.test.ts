import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { type Database, sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { DAY, MINUTE, toDayNumber } from '../../lib/time.ts';
import { insertToken } from '../people/tokens/queries.ts';
import { countActiveUsersByDay } from './active-users/queries.ts';
import { countFailedLogins } from './queries.ts';
import { addActiveUser, addFailedLogin, addTokenUse, noActivity, writeActivity } from './recorder.ts';

const NOON = Date.UTC(2026, 2, 31, 12);
const USED = sql<{ tokens: number }>('select count(*) as tokens from tokens where last_used_at = $1');

describeStorage('writing of activity', (engine) => {
  const service = useService(engine);
  const { database } = service;

  /** Inserts as many tokens of one user, and returns their hashes. */
  async function insertTokens(count: number): Promise<string[]> {
    const { id: userId } = await insertTestUser(database);
    const hashes = Array.from({ length: count }, newId);
    const rest = {
      userId,
      name: 'auth_token',
      first_characters: null,
      scopes: '',
      created_at: 0,
      expires_at: NOON + DAY,
    };
    await database.transaction(async (tx) => {
      for (const hash of hashes) await insertToken(tx, { ...rest, hash, id: newId() });
    });
    return hashes;
  }

  test('activity is written in transactions of at most 500 rows, between which other work runs', async () => {
    const pending = noActivity();
    for (const hash of await insertTokens(1_201)) {
      addTokenUse(pending, { tokenHash: hash, userId: 'unknown', lastUsedAt: null }, NOON);
    }
    for (let minutes = 0; minutes < 501; minutes++) addFailedLogin(pending, NOON + minutes * MINUTE);
    const ids: string[] = [];
    for (let count = 0; count < 70; count++) ids.push((await insertTestUser(database)).id);
    for (const id of ids) addActiveUser(pending, id, NOON);
    for (const id of ids.slice(0, 9)) addActiveUser(pending, id, NOON - DAY);
    let turns = 0;
    const countTurn = () => {
      turns++;
      next = setImmediate(countTurn);
    };
    let next = setImmediate(countTurn);
    let transactions = 0;
    const counting: Database = {
      ...database,
      transaction: (work) => {
        transactions++;
        return database.transaction(work);
      },
    };
    await writeActivity(counting, pending);
    clearImmediate(next);
    assert.equal(transactions, 3 + 2 + 2);
    assert.ok(turns >= transactions - 1, `${turns} turns`);
    assert.equal((await database.get(USED, NOON))!.tokens, 1_201);
    assert.equal(await countFailedLogins(database, NOON / MINUTE - 1, Number.MAX_SAFE_INTEGER), 501);
    const byDay = await countActiveUsersByDay(database, toDayNumber(NOON) - 1, toDayNumber(NOON));
    assert.deepEqual([...byDay.values()].sort(), [70, 9]);
    assert.deepEqual(pending, noActivity());
    await assertExactFigures(database);
  });

  test('activity that cannot be written is kept by batch, and nothing is added twice', async () => {
    const start = NOON + 10 * DAY;
    const pending = noActivity();
    const { id } = await insertTestUser(database);
    pending.activeUsers.set(`no-day:${id}`, Number.NaN);
    addActiveUser(pending, id, start);
    addFailedLogin(pending, start);
    const [hash] = await insertTokens(1);
    addTokenUse(pending, { tokenHash: hash!, userId: id, lastUsedAt: null }, start);
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(writeActivity(database, pending));
      assert.deepEqual(pending, { ...noActivity(), activeUsers: new Map([[`no-day:${id}`, Number.NaN]]) });
    }
    assert.equal(await countFailedLogins(database, start / MINUTE - 1, Number.MAX_SAFE_INTEGER), 1);
    assert.equal((await database.get(USED, start))!.tokens, 1);
    const day = toDayNumber(start);
    assert.deepEqual([...(await countActiveUsersByDay(database, day, day))], [[day, 1]]);
  });

  test('users can log out while the activity of their tokens is written', async () => {
    const now = Date.now();
    const users = await Promise.all(Array.from({ length: 40 }, () => insertLoggedInUser(database)));
    const pending = noActivity();
    for (const { id, token } of users) {
      addTokenUse(pending, { tokenHash: hashToken(token), userId: id, lastUsedAt: null }, now);
    }
    for (const hash of await insertTokens(400)) {
      addTokenUse(pending, { tokenHash: hash, userId: 'unknown', lastUsedAt: null }, now);
    }
    const written = writeActivity(database, pending);
    const responses = await Promise.all(
      users.map(({ token }) => service.api.post('/api/logout', undefined, { token })),
    );
    await written;
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    await assertExactFigures(database);
  });
});
