import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { ORDINARY } from '../priority.ts';
import { leaseJob, releaseAllJobs, releaseJob } from '../queries.ts';
import { correctSchedule } from '../schedule/correct-schedule.ts';
import { deleteExpiredJobs, dropJob, finishJob } from './finish-job.ts';
import { insertJob, insertJobs } from './insert-jobs.ts';
import { findDueOfEndpoint, type NewJob } from './queries.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const CLEAR = sql('delete from jobs');
const EVENTS = sql<{ event_number: number }>('select event_number from jobs order by event_number');
const WAITING_FOR_LOCK = sql<{ sessions: number }>(`
  select count(*) as sessions from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`);

describeOnEachEngine('the lanes of jobs', (engine) => {
  const service = useService(engine);

  async function start() {
    const { database } = service.service;
    await database.transaction((tx) => tx.run(CLEAR));
    const create = (
      event_number: number,
      lane: string | null = 'lane',
      more: Partial<NewJob> = {},
    ): NewJob => {
      const times = { created_at: NOW, expires_at: NOW + DAY };
      return {
        id: newId(),
        lane,
        endpoint_id: 'endpoint',
        event_number,
        priority: ORDINARY,
        ...times,
        ...more,
      };
    };
    const queue = (...jobs: NewJob[]) => database.transaction((tx) => insertJobs(tx, jobs));
    const findDue = (now = NOW, endpointId = 'endpoint') =>
      findDueOfEndpoint(database, { endpointId, now, limit: 100 });
    const due = async (...search: Parameters<typeof findDue>) =>
      (await findDue(...search)).map(({ event_number }) => event_number).sort((a, b) => a - b);
    const lease = async (now = NOW) => {
      const [job] = await findDue(now);
      assert.ok(await database.transaction((tx) => leaseJob(tx, job!, now + 5 * MINUTE)));
      return job!;
    };
    /** Resolves when another transaction waits for this one, or at once if transactions run one after the other. */
    const waitForLock = async () => {
      if (!database.isShared) return;
      await until(
        async () => (await database.get(WAITING_FOR_LOCK))!.sessions > 0,
        'a session waits for a lock',
      );
    };
    const stored = async () => (await database.all(EVENTS)).map(({ event_number }) => event_number);
    return { database, create, queue, findDue, due, lease, stored, waitForLock };
  }

  test('a lane has one job that is due, and jobs without a lane are all due', async () => {
    const { database, create, queue, due } = await start();
    await queue(create(1), create(2), create(3, 'other'), create(4, null), create(5, null));
    await database.transaction((tx) => insertJob(tx, create(6, 'other')));
    assert.deepEqual(await due(), [1, 3, 4, 5]);
  });

  test('a lane of more jobs than one statement inserts has one job that is due', async () => {
    const { create, queue, due, stored } = await start();
    const numbers = Array.from({ length: 1_203 }, (_, index) => index + 1);
    await queue(...numbers.toReversed().map((number) => create(number)));
    assert.deepEqual([await due(), await stored()], [[1], numbers]);
  });

  test('a lane goes on in the order of events when a job is finished, and after the last one begins anew', async () => {
    const { database, create, queue, due, lease, stored } = await start();
    await queue(create(2));
    await queue(create(5), create(4));
    await queue(create(3));
    for (const number of [2, 3, 4, 5]) {
      assert.deepEqual(await due(), [number]);
      const job = await lease();
      assert.deepEqual(await due(), []);
      await database.transaction((tx) => finishJob(tx, job, NOW));
    }
    assert.deepEqual(await stored(), []);
    await queue(create(6));
    assert.deepEqual(await due(), [6]);
  });

  test('a lane neither goes on nor loses a job when the transaction that finishes its job is rolled back', async () => {
    const { database, create, queue, due, lease, stored } = await start();
    await queue(create(1), create(2));
    const job = await lease();
    const finishing = database.transaction(async (tx) => {
      await finishJob(tx, job, NOW);
      throw new Error('rolled back');
    });
    await assert.rejects(finishing, /rolled back/);
    assert.deepEqual([await due(), await stored()], [[], [1, 2]]);
  });

  test('a lane waits for the next attempt of a job that has failed, and no other lane does', async () => {
    const { database, create, queue, due, lease } = await start();
    await queue(create(1), create(2), create(3, 'other', { created_at: NOW + 1 }));
    const job = await lease();
    const failed = { nextAttemptAt: NOW + HOUR, lastError: '503' };
    await database.transaction((tx) => releaseJob(tx, job, failed));
    await queue(create(4), create(5, 'third'));
    assert.deepEqual(await due(NOW + 1), [3, 5]);
    assert.deepEqual(await due(NOW + HOUR), [1, 3, 5]);
  });

  test('a lane goes on when its job is dropped, unless an attempt has begun', async () => {
    const { database, create, queue, findDue, due, lease, stored } = await start();
    await queue(create(1), create(2));
    const [job] = await findDue();
    assert.ok(await database.transaction((tx) => dropJob(tx, job!, NOW)));
    assert.deepEqual([await due(), await stored()], [[2], [2]]);
    const leased = await lease();
    assert.ok(!(await database.transaction((tx) => dropJob(tx, leased, NOW))));
    assert.deepEqual(await stored(), [2]);
  });

  test('a lane repeats the job of a killed node after its lease and goes on, and no late end of the first attempt changes that', async () => {
    const { database, create, queue, due, lease, stored } = await start();
    await queue(create(1), create(2));
    const first = await lease();
    const later = NOW + 5 * MINUTE;
    assert.deepEqual(await due(later - 1), []);
    const second = await lease(later);
    assert.deepEqual([first.id, second.attempts], [second.id, first.attempts + 1]);
    await database.transaction((tx) => finishJob(tx, first, later));
    assert.deepEqual([await due(later), await stored()], [[], [1, 2]]);
    await database.transaction((tx) => finishJob(tx, second, later));
    await database.transaction((tx) => finishJob(tx, first, later));
    assert.deepEqual([await due(later), await stored()], [[2], [2]]);
  });

  test('a lane keeps its order when a process releases all leases at its start', async () => {
    const { database, create, queue, due, lease } = await start();
    await queue(create(1), create(2));
    await lease();
    await database.transaction((tx) => releaseAllJobs(tx));
    assert.deepEqual(await due(), [1]);
  });

  test('a lane goes on when its jobs have expired, but not while the first one is running', async () => {
    const { database, create, queue, due, lease, stored } = await start();
    const expired = { expires_at: NOW + MINUTE };
    await queue(create(1, 'lane', expired), create(2, 'lane', expired), create(3));
    await queue(create(4, 'other', expired), create(5, 'other'), create(6, null, expired));
    const running = await lease();
    assert.equal(running.event_number, 1);
    const deleteExpired = (now: number, limit: number) =>
      database.transaction(
        async (tx) => (await deleteExpiredJobs(tx, { queue: 'webhook', now, limit })).length,
      );
    const mail = { queue: 'mail', now: NOW + DAY, limit: 10 } as const;
    assert.deepEqual(await database.transaction((tx) => deleteExpiredJobs(tx, mail)), []);
    assert.equal(await deleteExpired(NOW + MINUTE - 1, 10), 0);
    assert.equal(await deleteExpired(NOW + MINUTE, 10), 3);
    assert.deepEqual([await stored(), await due(NOW + MINUTE)], [[1, 3, 5], [5]]);
    assert.equal(await deleteExpired(NOW + 5 * MINUTE, 10), 1);
    assert.deepEqual(await due(NOW + 5 * MINUTE), [3, 5]);
  });

  test('a lane keeps its order when times are corrected that a clock which was ahead has set', async () => {
    const { database, create, queue, due } = await start();
    const ahead = { created_at: NOW + 30 * DAY };
    await queue(create(1, 'lane', ahead), create(2, 'lane', ahead));
    await correctSchedule(database, { queue: 'mail', maxRetryDelayMs: HOUR }, NOW);
    assert.deepEqual(await due(), []);
    await correctSchedule(database, { queue: 'webhook', maxRetryDelayMs: HOUR }, NOW);
    assert.deepEqual(await due(), [1]);
  });

  test('jobs of an endpoint are found although another endpoint has very many that are due earlier', async () => {
    const { create, queue, due } = await start();
    const earlier = { created_at: NOW - HOUR };
    await queue(...Array.from({ length: 300 }, (_, index) => create(index, null, earlier)));
    await queue(create(1_000, null, { endpoint_id: 'endpoint-2' }));
    assert.equal((await due()).length, 100);
    assert.deepEqual(await due(NOW, 'endpoint-2'), [1_000]);
  });

  test('a job that is queued while the last one of its lane is finished becomes due', async () => {
    const { database, create, queue, due, lease, waitForLock } = await start();
    await queue(create(1));
    const job = await lease();
    let queueing: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await finishJob(tx, job, NOW);
      queueing = queue(create(2), create(3));
      await waitForLock();
    });
    await queueing;
    assert.deepEqual(await due(), [2]);
  });

  test('a job waits for one that another transaction has queued in its lane at the same time', async () => {
    const { database, create, queue, due, stored, waitForLock } = await start();
    let queueing: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await insertJob(tx, create(1));
      queueing = queue(create(2));
      await waitForLock();
    });
    await queueing;
    assert.deepEqual([await due(), await stored()], [[1], [1, 2]]);
  });

  test('a lane whose job is finished while another one is being queued goes on with that', async () => {
    const { database, create, queue, due, lease, waitForLock } = await start();
    await queue(create(1));
    const job = await lease();
    let finishing: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await insertJob(tx, create(2));
      finishing = database.transaction((other) => finishJob(other, job, NOW));
      await waitForLock();
    });
    await finishing;
    assert.deepEqual(await due(), [2]);
  });
});
