import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, startService, type TestService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { createLog } from '../../lib/log/log.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { DAY, MINUTE, toDayNumber } from '../../lib/time.ts';
import { countActiveUsers } from './active-users/queries.ts';
import { countFailedLogins } from './queries.ts';
import { createActivityRecorder } from './recorder.ts';

const NOON = Date.UTC(2026, 2, 31, 12);
const LAST_USED = sql<{ last_used_at: number | null }>('select last_used_at from tokens where hash = $1');
const ACTIVE_DAYS = sql<{ day: number }>('select day from user_activity where user_id = $1 order by day');
const HIDE_FAILED_LOGINS = sql('alter table failed_logins rename to failed_logins_hidden');
const RESTORE_FAILED_LOGINS = sql('alter table failed_logins_hidden rename to failed_logins');
const silent = createLog('silent');

describeOnSqlite('the activity recorder', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const recorderAt = (clock: () => number) => createActivityRecorder(service.database, clock, silent);
  const lastUsed = async (hash: string) => (await service.database.get(LAST_USED, hash))!.last_used_at;
  const activeDays = async (id: string) =>
    (await service.database.all(ACTIVE_DAYS, id)).map(({ day }) => day);
  const userWithToken = async () => {
    const { id } = await insertTestUser(service.database);
    return { id, hash: (await insertTestToken(service.database, id)).hash };
  };

  test('the activity recorder never sets the last use of a token to an earlier time', async () => {
    const { id, hash } = await userWithToken();
    const [ahead, behind] = [recorderAt(() => NOON + MINUTE), recorderAt(() => NOON)];
    behind.tokenUsed({ tokenHash: hash, userId: id, lastUsedAt: null });
    ahead.tokenUsed({ tokenHash: hash, userId: id, lastUsedAt: null });
    await ahead.flush();
    await behind.flush();
    assert.equal(await lastUsed(hash), NOON + MINUTE);
  });

  test('the activity recorder records an active user once a day', async () => {
    let now = NOON;
    const recorder = recorderAt(() => now);
    const { id } = await insertTestUser(service.database);
    const today = toDayNumber(NOON);
    recorder.userActive(id);
    recorder.userActive(id);
    await recorder.flush();
    recorder.userActive(id);
    now = NOON + DAY;
    recorder.userActive(id);
    await recorder.flush();
    assert.deepEqual(await activeDays(id), [today, today + 1]);
  });

  test('the activity recorder skips a user who was deleted meanwhile and writes the rest', async () => {
    const recorder = recorderAt(() => NOON);
    const [deleted, remaining] = [await userWithToken(), await userWithToken()];
    for (const { id, hash } of [deleted, remaining])
      recorder.tokenUsed({ tokenHash: hash, userId: id, lastUsedAt: null });
    await service.api.delete(`/api/v1/users/${deleted.id}`, admin);
    await recorder.flush();
    assert.deepEqual(await activeDays(deleted.id), []);
    assert.deepEqual(await activeDays(remaining.id), [toDayNumber(NOON)]);
  });

  test('the activity recorder adds up the failed logins of a minute over all nodes', async () => {
    const [one, two] = [recorderAt(() => NOON), recorderAt(() => NOON + 59_999)];
    for (const recorder of [one, one, two]) recorder.loginFailed();
    await Promise.all([one.flush(), two.flush()]);
    one.loginFailed();
    await one.close();
    assert.equal(await countFailedLogins(database, NOON / MINUTE - 1, Number.MAX_SAFE_INTEGER), 4);
    assert.equal(await countFailedLogins(database, NOON / MINUTE, Number.MAX_SAFE_INTEGER), 0);
  });

  test('the activity recorder keeps activity that it cannot write, and writes it once later with newer activity', async () => {
    const day = toDayNumber(NOON) + 7;
    const recorder = recorderAt(() => day * DAY);
    const [early, late] = [await userWithToken(), await userWithToken()];
    await database.transaction((tx) => tx.run(HIDE_FAILED_LOGINS));
    recorder.loginFailed();
    recorder.tokenUsed({ tokenHash: early.hash, userId: early.id, lastUsedAt: null });
    await recorder.flush();
    assert.equal(await lastUsed(early.hash), day * DAY, 'the rest is written');
    recorder.loginFailed();
    recorder.userActive(late.id);
    await recorder.flush();
    await database.transaction((tx) => tx.run(RESTORE_FAILED_LOGINS));
    await recorder.flush();
    assert.equal(await lastUsed(early.hash), day * DAY);
    assert.equal(await countActiveUsers(database, day, day), 2);
    assert.equal(await countFailedLogins(database, (day * DAY) / MINUTE - 1, Number.MAX_SAFE_INTEGER), 2);
  });
});

describeOnSqlite('the last use of a token over HTTP', (engine) => {
  let service: TestService;
  let now = NOON;
  before(async () => {
    let elapsed = 0;
    // No figures of the dashboard are cached: each request of it is later than their lifetime.
    const monotonicClock = () => (elapsed += MINUTE);
    service = await startService(engine, { clock: () => now, monotonicClock });
  });
  after(() => service.stop());
  const lastUsed = async (token: string) =>
    (await service.database.get(LAST_USED, hashToken(token)))!.last_used_at;

  /** Waits for a use that is recorded after its response. Each request of the dashboard writes pending activity. */
  async function waitForLastUse(token: string, expected: number): Promise<void> {
    await until(async () => {
      if ((await lastUsed(token)) === expected) return true;
      await service.api.get('/api/v1/admin/dashboard', admin);
      return false;
    }, 'the use is recorded');
  }

  test('the last use of a token is recorded after successful responses only', async () => {
    const { database } = service;
    const rejected = await insertLoggedInUser(database, NOON);
    const accepted = await insertLoggedInUser(database, NOON);
    const path = '/api/v1/tokens/nothing';
    assert.equal((await service.api.delete(path, { token: rejected.token })).status, 404);
    assert.equal((await service.api.get('/api/v1/me', { token: accepted.token })).status, 200);
    await waitForLastUse(accepted.token, NOON);
    assert.equal(await lastUsed(rejected.token), null);
  });

  test('the last use of a token is in the list of tokens, updated once a minute', async () => {
    now = NOON;
    const user = await insertLoggedInUser(service.database, NOON);
    const list = async () => (await service.api.get('/api/v1/tokens', { token: user.token })).body.data[0];
    assert.equal((await list()).last_used_at, null);
    await waitForLastUse(user.token, NOON);
    now = NOON + MINUTE - 1;
    assert.equal((await list()).last_used_at, '2026-03-31T12:00:00.000Z');
    now = NOON + MINUTE;
    await list();
    await waitForLastUse(user.token, NOON + MINUTE);
    assert.equal((await list()).last_used_at, '2026-03-31T12:01:00.000Z');
  });
});
