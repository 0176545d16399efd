import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, startService, type TestService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertLoggedInUser, insertTestToken, insertTestUser } from '../../../../test/support/users.ts';
import { DAY, formatTimestamp, HOUR, MINUTE, toDayNumber } from '../../../lib/time.ts';
import { recordActiveUsers } from '../active-users/active-users.ts';
import { lockActiveUsers } from '../active-users/queries.ts';
import { addFailedLogins } from '../queries.ts';
import { countSignIn } from '../sign-in-counts.ts';

const MIDNIGHT = Date.UTC(2026, 2, 31);
const NOON = MIDNIGHT + 12 * HOUR;
const LAST_MILLISECOND = DAY - 1;

/** Returns a curve of 30 days, with zero for all days but the given ones. */
function curve(countsByDaysAgo: Readonly<Record<number, number>>) {
  return Array.from({ length: 30 }, (_, index) => ({
    date: formatTimestamp(MIDNIGHT - (29 - index) * DAY).slice(0, 10),
    count: countsByDaysAgo[29 - index] ?? 0,
  }));
}

describeOnEachEngine('figures of the dashboard', (engine) => {
  let service: TestService;
  let now = NOON;
  const getFigures = async () => {
    const { status, body } = await service.api.get('/api/v1/admin/dashboard', admin);
    assert.equal(status, 200);
    assert.equal(body.message, 'Admin dashboard');
    return body.data;
  };

  /** Requests figures until they have these values: the figures do not wait long for activity to be written. */
  const waitForFigures = async (figures: Partial<Awaited<ReturnType<typeof getFigures>>>) => {
    let found = await getFigures();
    const hasFigures = async () => {
      found = await getFigures();
      return Object.entries(figures).every(([name, value]) => isDeepStrictEqual(found[name], value));
    };
    await until(hasFigures, `the figures are ${JSON.stringify(figures)}`);
    return found;
  };

  before(async () => {
    let elapsed = 0;
    // No figures are cached: each request is later than their lifetime.
    const monotonicClock = () => (elapsed += MINUTE);
    service = await startService(engine, { clock: () => now, monotonicClock });
  });
  after(() => service.stop());

  test('the dashboard returns zeros and curves of zeros for an empty service', async () => {
    const none = { count: 0, previous: 0, change: 0 };
    const wholeDays = { yesterday: none, last_7_days: none, last_30_days: none };
    assert.deepEqual(await getFigures(), {
      generated_at: formatTimestamp(NOON),
      users: { total: 0, by_state: { unclaimed: 0, active: 0, disabled: 0 } },
      new_users: { today: none, last_7_days: none, last_30_days: none },
      active_users: { today: 0, last_7_days: 0, last_30_days: 0 },
      previous_active_users: { today: 0, last_7_days: 0, last_30_days: 0 },
      sign_ups_by_day: curve({}),
      active_users_by_day: curve({}),
      sign_ins: { password: 0, passkey: 0, provider: 0, email: 0, second_factor: 0 },
      live_tokens: 0,
      failed_logins_24h: 0,
      previous_failed_logins_24h: 0,
      whole_days: { new_users: wholeDays, active_users: wholeDays },
    });
  });

  test('the dashboard counts new users by UTC day, with the count of the preceding period of the same length', async () => {
    const { database } = service;
    const midnightsAgo = (days: number) => MIDNIGHT - days * DAY;
    const unclaimed = { state: 'unclaimed', ownsEmail: false } as const;
    await insertTestUser(database, { createdAt: midnightsAgo(0) });
    await insertTestUser(database, { createdAt: NOON, ...unclaimed });
    await insertTestUser(database, { createdAt: midnightsAgo(1) + LAST_MILLISECOND });
    await insertTestUser(database, { createdAt: midnightsAgo(6), state: 'disabled' });
    await insertTestUser(database, { createdAt: midnightsAgo(7) + LAST_MILLISECOND });
    await insertTestUser(database, { createdAt: midnightsAgo(13) });
    await insertTestUser(database, { createdAt: midnightsAgo(14) + LAST_MILLISECOND });
    await insertTestUser(database, { createdAt: midnightsAgo(29), ...unclaimed });
    await insertTestUser(database, { createdAt: midnightsAgo(30) + LAST_MILLISECOND });
    await insertTestUser(database, { createdAt: midnightsAgo(59) });
    await insertTestUser(database, { createdAt: midnightsAgo(60) + LAST_MILLISECOND });
    const { users, new_users, whole_days, sign_ups_by_day } = await getFigures();
    assert.deepEqual(users, { total: 11, by_state: { unclaimed: 2, active: 8, disabled: 1 } });
    assert.deepEqual(new_users, {
      today: { count: 2, previous: 1, change: 1 },
      last_7_days: { count: 4, previous: 2, change: 2 },
      last_30_days: { count: 8, previous: 2, change: 6 },
    });
    assert.deepEqual(whole_days.new_users, {
      yesterday: { count: 1, previous: 0, change: 1 },
      last_7_days: { count: 3, previous: 2, change: 1 },
      last_30_days: { count: 7, previous: 2, change: 5 },
    });
    assert.deepEqual(sign_ups_by_day, curve({ 0: 2, 1: 1, 6: 1, 7: 1, 13: 1, 14: 1, 29: 1 }));
  });

  test('the dashboard moves all periods by one day at the next UTC day and returns negative changes', async () => {
    now = NOON + DAY;
    const { new_users, sign_ups_by_day } = await getFigures();
    now = NOON;
    assert.deepEqual(new_users, {
      today: { count: 0, previous: 2, change: -2 },
      last_7_days: { count: 3, previous: 2, change: 1 },
      last_30_days: { count: 7, previous: 2, change: 5 },
    });
    assert.equal(sign_ups_by_day.length, 30);
    assert.deepEqual(sign_ups_by_day.at(-1), { date: '2026-04-01', count: 0 });
    assert.deepEqual(sign_ups_by_day.at(-2), { date: '2026-03-31', count: 2 });
    assert.deepEqual(sign_ups_by_day[0], { date: '2026-03-03', count: 0 });
  });

  test('the dashboard counts each active user once in a period, however many days they were active', async () => {
    const { database } = service;
    const [one, two, deleted] = [
      await insertTestUser(database),
      await insertTestUser(database),
      await insertTestUser(database),
    ];
    const today = toDayNumber(NOON);
    await database.transaction(async (tx) => {
      for (const daysAgo of [0, 1, 6, 29]) await recordActiveUsers(tx, (today - daysAgo) * DAY, [one.id]);
      for (const daysAgo of [6, 7, 30]) await recordActiveUsers(tx, (today - daysAgo) * DAY, [two.id]);
      for (const daysAgo of [0, 3]) await recordActiveUsers(tx, (today - daysAgo) * DAY, [deleted.id]);
      await recordActiveUsers(tx, today * DAY, [one.id]);
    });
    const path = `/api/v1/users/${deleted.id}`;
    assert.equal((await service.api.delete(path, admin)).status, 204);
    const { active_users, active_users_by_day, previous_active_users, whole_days } = await getFigures();
    assert.deepEqual(active_users, { today: 1, last_7_days: 2, last_30_days: 2 });
    assert.deepEqual(previous_active_users, { today: 1, last_7_days: 1, last_30_days: 1 });
    assert.deepEqual(whole_days.active_users, {
      yesterday: { count: 1, previous: 0, change: 1 },
      last_7_days: { count: 2, previous: 0, change: 2 },
      last_30_days: { count: 2, previous: 0, change: 2 },
    });
    assert.deepEqual(active_users_by_day, curve({ 0: 1, 1: 1, 6: 2, 7: 1, 29: 1 }));
  });

  test('the dashboard counts the tokens that have not expired', async () => {
    const { database } = service;
    const { id } = await insertTestUser(database);
    for (const expiresAt of [NOON - 1, NOON, NOON + 1, NOON + DAY]) {
      await insertTestToken(database, id, { expiresAt });
    }
    assert.equal((await getFigures()).live_tokens, 2);
  });

  test('the dashboard counts the failed logins of the last 24 hours, exact to the minute', async () => {
    const { database } = service;
    const minute = Math.floor(NOON / MINUTE);
    await database.transaction(async (tx) => {
      await addFailedLogins(tx, [[minute, 1]]);
      await addFailedLogins(tx, [
        [minute - 48 * 60, 16],
        [minute - 24 * 60, 8],
        [minute - 24 * 60 + 1, 4],
        [minute, 2],
      ]);
    });
    const { failed_logins_24h, previous_failed_logins_24h } = await getFigures();
    assert.deepEqual([failed_logins_24h, previous_failed_logins_24h], [7, 8]);
  });

  test('the dashboard includes a registration, a login and failed logins that have just happened', async () => {
    const initial = await getFigures();
    const user = { name: 'Ada', email: 'ada@example.com', password: 'a good password' };
    await service.api.post('/api/register', user);
    const { today, last_7_days, last_30_days } = initial.active_users;
    const active_users = { today: today + 1, last_7_days: last_7_days + 1, last_30_days: last_30_days + 1 };
    const registered = await waitForFigures({ active_users, live_tokens: initial.live_tokens + 1 });
    assert.equal(registered.users.by_state.active, initial.users.by_state.active + 1);
    assert.equal(registered.new_users.today.count, initial.new_users.today.count + 1);
    await service.api.post('/api/login', { ...user, password: 'a wrong password' });
    await service.api.post('/api/login', { email: 'nobody@example.com', password: 'x' });
    assert.equal((await service.api.post('/api/login', user)).status, 200);
    const loggedIn = await waitForFigures({ failed_logins_24h: initial.failed_logins_24h + 2 });
    assert.deepEqual(loggedIn.active_users, active_users);
    assert.equal(loggedIn.live_tokens, registered.live_tokens + 1);
    assert.equal(loggedIn.sign_ins.password, initial.sign_ins.password + 2);
  });

  test('the dashboard counts the sign-ins of 30 days by their way, and those with a second factor twice', async () => {
    const { sign_ins: before } = await getFigures();
    await service.database.transaction(async (tx) => {
      countSignIn(tx, ['fed', 'otp'], NOON);
      countSignIn(tx, ['fed'], NOON - 29 * DAY);
      countSignIn(tx, ['email'], NOON - 30 * DAY);
    });
    const { sign_ins } = await getFigures();
    const provider = before.provider + 2;
    assert.deepEqual(sign_ins, { ...before, provider, second_factor: before.second_factor + 1 });
  });

  test('the dashboard does not wait for activity that cannot be written at once', async () => {
    const { database } = service;
    const { active_users: before } = await getFigures();
    const { token } = await insertLoggedInUser(database, now);
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      await lockActiveUsers(tx);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 200);
    assert.deepEqual((await getFigures()).active_users, before);
    released.resolve();
    await holding;
    const counts = Object.entries<number>(before).map(([name, count]) => [name, count + 1]);
    await waitForFigures({ active_users: Object.fromEntries(counts) });
  });
});
