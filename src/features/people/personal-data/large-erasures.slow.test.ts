/** Erasures of users with more rows than one transaction deletes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestEvents } from '../../../../test/support/events.ts';
import { keepHouse } from '../../../../test/support/housekeeping.ts';
import { logIn } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { assertExactFigures } from '../../../../test/support/statistics/statistics.ts';
import { until } from '../../../../test/support/until.ts';
import { insertTestUser, register } from '../../../../test/support/users.ts';
import { type Database, type Statement, sql, type Tx } from '../../../database/database.ts';
import { DAY } from '../../../lib/time.ts';
import { recordActiveUsers } from '../../activity/active-users/active-users.ts';
import { findUser } from '../../users/records/queries.ts';
import { deleteAbandonedUsers, listPendingErasures } from './delete-rows.ts';
import { eraseUser } from './erase-user.ts';

const EVENTS = 2_500;
const COUNT = sql<{ rows: number }>(
  "select count(*) as rows from events where subject = 'user:' || $1 and (network is not null or device is not null)",
);
const NETWORKS = sql(`
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
  insert into known_networks (user_id, network, last_login_at) select $1, cast(i as text), i from n`);

/** Interrupts erasures like the end of the process, after some transactions. */
function failingAfter(database: Database, transactions: number): Database {
  let begun = 0;
  const transaction: Database['transaction'] = (work) => {
    if (begun++ === transactions) throw new Error('the process has ended');
    return database.transaction(work);
  };
  return { ...database, transaction };
}

describeOnEachEngine('the erasure of a user with thousands of events', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const count = async (id: string) => (await service.database.get(COUNT, id))!.rows;
  const erasure = { clock: Date.now, maxErasureWaitMs: null };

  async function registerWithEvents() {
    const person = await register(service);
    await insertTestEvents(database, person.id, EVENTS);
    await database.transaction((tx) => tx.run(NETWORKS, person.id));
    await database.transaction((tx) => recordActiveUsers(tx, Date.now(), [person.id]));
    return person;
  }

  for (const eraser of ['the user', 'the administrator'] as const) {
    test(`a large erasure deletes everything before the response to ${eraser}`, async () => {
      const { token, password, ...person } = await registerWithEvents();
      const { status } =
        eraser === 'the user'
          ? await service.api.delete('/api/v1/me', { token, body: { current_password: password } })
          : await service.api.delete(`/api/v1/users/${person.id}`, admin);
      assert.equal(status, 204);
      assert.equal(await findUser(service.database, person.id), undefined);
      assert.equal(await count(person.id), eraser === 'the user' ? 0 : 1, 'that of the administrator');
      assert.deepEqual(await listPendingErasures(service.database), []);
      await assertExactFigures(service.database);
      await register(service, { ...person, password });
    });
  }

  test('a large erasure deletes at most 200 rows in a transaction, and locks the activity in the last one only', async () => {
    const { id } = await registerWithEvents();
    const deleted: number[] = [];
    const locks: number[] = [];
    const counted = (tx: Tx): Tx => {
      const note = (rows: number, { text }: Statement<unknown>) => {
        if (/update events set network = null|delete from known_networks/.test(text))
          deleted.push(deleted.pop()! + rows);
        if (/do update set value = settings.value/.test(text)) locks.push(deleted.length);
      };
      return {
        ...tx,
        all: async (statement, ...values) => {
          const rows = await tx.all(statement, ...values);
          note(rows.length, statement);
          return rows;
        },
        run: async (statement, ...values) => {
          const rows = await tx.run(statement, ...values);
          note(rows, statement);
          return rows;
        },
      };
    };
    const transaction: Database['transaction'] = (work) => {
      deleted.push(0);
      return database.transaction((tx) => work(counted(tx)));
    };
    await eraseUser({ database: { ...database, transaction }, ...erasure }, id);
    assert.ok(Math.max(...deleted) <= 200, `${deleted}`);
    assert.deepEqual(locks, [deleted.length]);
    assert.ok(deleted.length > 9);
  });

  test('an interrupted erasure has disabled the user and revoked the tokens, and housekeeping completes it', async () => {
    const person = await registerWithEvents();
    const interrupted = { ...erasure, database: failingAfter(database, 2) };
    await assert.rejects(eraseUser(interrupted, person.id), /the process has ended/);
    assert.equal((await findUser(database, person.id))?.state, 'disabled');
    assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 401);
    assert.equal((await logIn(service, person)).status, 401);
    await assertExactFigures(database);
    await keepHouse(database);
    assert.equal(await findUser(database, person.id), undefined);
    assert.deepEqual(await listPendingErasures(database), []);
    await assertExactFigures(database);
  });

  test('an interrupted erasure can be repeated by the administrator', async () => {
    const { id } = await registerWithEvents();
    await assert.rejects(eraseUser({ ...erasure, database: failingAfter(database, 1) }, id));
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, admin)).status, 204);
    assert.equal(await findUser(database, id), undefined);
    assert.deepEqual(await listPendingErasures(database), []);
  });

  test('an erasure that is interrupted before the first transaction ends leaves the user as before', async () => {
    const person = await registerWithEvents();
    const transaction: Database['transaction'] = (work) =>
      database.transaction(async (tx) => {
        await work(tx);
        throw new Error('the process has ended');
      });
    await assert.rejects(eraseUser({ database: { ...database, transaction }, ...erasure }, person.id));
    assert.equal(await count(person.id), EVENTS + 1, 'with that of the registration');
    assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 200);
  });

  test('a large erasure continues in the background when it takes longer than the time of a response', async () => {
    const { id } = await registerWithEvents();
    await eraseUser({ database, ...erasure, maxErasureWaitMs: 0 }, id);
    await until(async () => (await findUser(database, id)) === undefined, 'the user is erased');
    assert.equal(await count(id), 0);
  });

  test('housekeeping deletes the personal data in events of abandoned users one batch at a time', async () => {
    const now = Date.now();
    const abandoned = { state: 'unclaimed', ownsEmail: false, createdAt: now - DAY } as const;
    const { id } = await insertTestUser(database, abandoned);
    await insertTestEvents(database, id, EVENTS);
    const work = (tx: Tx) => deleteAbandonedUsers(tx, { before: now, now }, 500);
    const left: number[] = [];
    while ((await database.transaction(work)) === 500) left.push(await count(id));
    assert.deepEqual(left, [2_000, 1_500, 1_000, 500, 0]);
    assert.equal(await findUser(database, id), undefined);
    await assertExactFigures(database);
  });
});
