import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { DatabaseUnavailable, sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { finishJob } from '../lanes/finish-job.ts';
import { insertJobs } from '../lanes/insert-jobs.ts';
import { leaseJobs } from '../lanes/lease-jobs.ts';
import { findDueOfEndpoint, type NewJob, type WebhookJob } from '../lanes/queries.ts';
import { LEASE_MS } from '../lease.ts';
import { ORDINARY } from '../priority.ts';
import { leaseJob } from '../queries.ts';
import { JobWorker } from './job-worker.ts';
import { postponeJob } from './postpone-job.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const CLEAR = sql('delete from jobs');
const ROWS = sql<{ event_number: number; attempts: number; next_attempt_at: number; last_error: string }>(
  'select event_number, attempts, next_attempt_at, last_error from jobs order by event_number',
);
const MAX_RUNNING = 3;

interface Outcome {
  readonly job: WebhookJob;
  readonly isDone: boolean;
}

interface NodeOptions {
  /** The number of jobs that are leased ahead of their turn. */
  readonly maxWaiting?: number;
  /** Is called in each transaction that stores outcomes, with the numbers of the events. */
  onStore?(numbers: number[]): void;
}

type Run = (job: WebhookJob) => Promise<boolean>;

describeOnEachEngine('workers on jobs of lanes', (engine) => {
  const service = useService(engine);

  async function start(context: { after(clean: () => Promise<void>): void }) {
    const { database } = service.service;
    await database.transaction((tx) => tx.run(CLEAR));
    const time = { now: NOW };
    const clock = () => time.now;
    const notStored: number[] = [];
    /** Starts a worker. Jobs for which `run` resolves with false are repeated after as many minutes as attempts. */
    const startNode = (run: Run, { maxWaiting = 0, onStore = () => {} }: NodeOptions = {}) => {
      const postponement = { clock, random: () => 0, retryDelay: (attempts: number) => attempts * MINUTE };
      const worker = new JobWorker<WebhookJob, Outcome>(
        { database, clock, monotonicClock: clock },
        {
          queue: 'webhook',
          maxRetryDelayMs: HOUR,
          maxRunning: MAX_RUNNING,
          maxLeasedAtOnce: MAX_RUNNING + maxWaiting,
          findNext: ({ running, waiting }) =>
            findDueOfEndpoint(database, {
              endpointId: 'endpoint',
              now: clock(),
              limit: MAX_RUNNING + maxWaiting - running - waiting.length,
            }),
          async lease(jobs) {
            const leased = await database.transaction((tx) => leaseJobs(tx, jobs, clock() + LEASE_MS));
            return jobs
              .filter(({ id }) => leased.has(id))
              .map((job) => ({
                job,
                run: async () => ({ outcome: { job, isDone: await run(job) }, isDone: false }),
              }));
          },
          mayRun: () => true,
          async storeOutcomes(tx, outcomes) {
            onStore(outcomes.map(({ job }) => job.event_number));
            for (const { job, isDone } of outcomes) {
              if (isDone) await finishJob(tx, job, clock());
              else await postponeJob(tx, postponement, { job, lastError: '503' });
            }
          },
          onUnavailable: (error) => assert.ok(error instanceof DatabaseUnavailable, String(error)),
          onNotStored: (job) => notStored.push(job.event_number),
        },
      );
      context.after(() => worker.close());
      return worker;
    };
    const queue = (jobs: readonly Pick<NewJob, 'lane' | 'event_number'>[]) =>
      database.transaction((tx) => {
        const rest = { endpoint_id: 'endpoint', created_at: NOW, expires_at: NOW + DAY };
        return insertJobs(
          tx,
          jobs.map((job) => ({ ...job, ...rest, id: newId(), priority: ORDINARY })),
        );
      });
    return { database, time, startNode, queue, notStored };
  }

  test('several nodes run the jobs of each lane once, one after the other and in order, also those queued meanwhile', async (context) => {
    const { database, startNode, queue } = await start(context);
    const lanes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    const ran = new Map<string | null, number[]>();
    const running = new Set<string | null>();
    const run: Run = async ({ lane, event_number }) => {
      assert.ok(!running.has(lane), 'the lane runs no other job');
      running.add(lane);
      ran.set(lane, [...(ran.get(lane) ?? []), event_number]);
      if (event_number <= 6) await queue([{ lane, event_number: event_number + 6 }]);
      running.delete(lane);
      return true;
    };
    const nodes = [startNode(run), startNode(run), startNode(run), startNode(run)];
    await queue(numbers.slice(0, 6).flatMap((event_number) => lanes.map((lane) => ({ lane, event_number }))));
    // A node may stop while another one still makes jobs due.
    for (let round = 0; round < numbers.length && (await database.all(ROWS)).length > 0; round++)
      await Promise.all(nodes.map((node) => node.runDue()));
    for (const lane of lanes) assert.deepEqual(ran.get(lane), numbers, lane);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('a job that fails delays its lane and no other one, and runs before the rest of its lane', async (context) => {
    const { database, time, startNode, queue } = await start(context);
    const ran: number[] = [];
    let isFailing = true;
    const node = startNode(async ({ event_number }) => {
      ran.push(event_number);
      return event_number !== 1 || !isFailing;
    });
    await queue([
      { lane: 'a', event_number: 1 },
      { lane: 'a', event_number: 2 },
    ]);
    await queue([3, 4, 5, 6].map((event_number) => ({ lane: 'b', event_number })));
    await node.runDue();
    assert.deepEqual(ran, [1, 3, 4, 5, 6]);
    const [failed, blocked] = await database.all(ROWS);
    const expected = { event_number: 1, attempts: 1, next_attempt_at: NOW + MINUTE, last_error: '503' };
    assert.deepEqual({ ...failed }, expected);
    assert.deepEqual([blocked?.event_number, blocked?.attempts, blocked?.last_error], [2, 0, null]);
    time.now += MINUTE;
    isFailing = false;
    await node.runDue();
    assert.deepEqual(ran, [1, 3, 4, 5, 6, 1, 2]);
  });

  test('a job whose node was killed runs again after the lease, before the rest of its lane', async (context) => {
    const { database, time, startNode, queue } = await start(context);
    const ran: number[] = [];
    await queue([1, 2, 3].map((event_number) => ({ lane: 'a', event_number })));
    const [first] = await findDueOfEndpoint(database, { endpointId: 'endpoint', now: NOW, limit: 1 });
    await database.transaction((tx) => leaseJob(tx, first!, NOW + LEASE_MS));
    const node = startNode(async ({ event_number }) => ran.push(event_number) > 0);
    await queue([{ lane: 'b', event_number: 9 }]);
    time.now += LEASE_MS - 1;
    await node.runDue();
    assert.deepEqual(ran, [9]);
    time.now += 1;
    await node.runDue();
    assert.deepEqual(ran, [9, 1, 2, 3]);
  });

  /** Returns a way to run jobs that ends all of them at once. */
  function createGate() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ran: number[] = [];
    const run: Run = async ({ event_number }) => {
      ran.push(event_number);
      await promise;
      return true;
    };
    return { run, ran, open: resolve };
  }

  const inOwnLanes = (...numbers: number[]) =>
    numbers.map((event_number) => ({ lane: `lane ${event_number}`, event_number }));

  test('outcomes of jobs that end together are stored in one transaction; one that is rejected prevents no other', async (context) => {
    const { database, time, startNode, queue, notStored } = await start(context);
    const { run, ran, open } = createGate();
    const groups: number[][] = [];
    let isRejected = true;
    const onStore = (numbers: number[]) => {
      groups.push(numbers);
      if (isRejected && numbers.includes(2)) throw new Error('a constraint rejects the outcome');
    };
    const node = startNode(run, { onStore });
    await queue(inOwnLanes(1, 2, 3));
    const done = node.runDue();
    await until(() => ran.length === 3, 'all jobs run');
    open();
    await done;
    assert.deepEqual(groups[0]?.toSorted(), [1, 2, 3]);
    const [left, ...others] = await database.all(ROWS);
    assert.deepEqual([left?.event_number, left?.attempts, others.length], [2, 1, 0]);
    assert.deepEqual(notStored, [2]);
    isRejected = false;
    time.now += LEASE_MS;
    await node.runDue();
    assert.deepEqual(ran.toSorted(), [1, 2, 2, 3]);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('outcomes are kept while the database is unavailable, and no job is repeated', async (context) => {
    const { database, startNode, queue, notStored } = await start(context);
    const { run, ran, open } = createGate();
    let isAvailable = false;
    const onStore = () => {
      if (!isAvailable) throw new DatabaseUnavailable('the disk is full');
    };
    const node = startNode(run, { onStore });
    await queue([...inOwnLanes(1, 2), { lane: 'lane 1', event_number: 3 }]);
    open();
    await node.runDue();
    assert.equal((await database.all(ROWS)).length, 3);
    isAvailable = true;
    await node.runDue();
    assert.deepEqual(ran, [1, 2, 3]);
    assert.deepEqual([notStored, await database.all(ROWS)], [[], []]);
  });

  test('jobs that are leased ahead run when others end, in the order of their lanes', async (context) => {
    const { database, startNode, queue } = await start(context);
    const ran = new Map<string | null, number[]>();
    let [running, most] = [0, 0];
    const run: Run = async ({ lane, event_number }) => {
      most = Math.max(most, ++running);
      ran.set(lane, [...(ran.get(lane) ?? []), event_number]);
      await nextTurn();
      running--;
      return true;
    };
    const node = startNode(run, { maxWaiting: 5 });
    const numbers = [1, 2, 3, 4, 5];
    const lanes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    await queue(numbers.flatMap((event_number) => lanes.map((lane) => ({ lane, event_number }))));
    await node.runDue();
    for (const lane of lanes) assert.deepEqual(ran.get(lane), numbers, lane);
    assert.equal(most, MAX_RUNNING);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('jobs that are leased ahead are released after a second, and by a node that stops, without an attempt', async (context) => {
    const { database, time, startNode, queue } = await start(context);
    const { run, ran, open } = createGate();
    context.after(async () => open());
    const attempts = async () => (await database.all(ROWS)).map((row) => row.attempts);
    const countReleased = async () => (await attempts()).filter((count) => count === 0).length;
    const first = startNode(run, { maxWaiting: 2 });
    await queue(inOwnLanes(1, 2, 3, 4, 5));
    first.wake();
    await until(async () => ran.length === 3 && (await countReleased()) === 0, 'all are leased');
    time.now += 1_001;
    first.wake();
    await until(async () => (await countReleased()) === 2, 'those that wait are released');
    await queue(inOwnLanes(6, 7, 8));
    const second = startNode(run, { maxWaiting: 2 });
    second.wake();
    await until(async () => ran.length === 6 && (await countReleased()) === 0, 'all are leased');
    const closed = second.close();
    await until(async () => (await countReleased()) === 2, 'those that wait are released');
    open();
    await Promise.all([closed, first.runDue()]);
    assert.deepEqual(ran.toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('jobs that a killed node had leased together run again after the lease, before the rest of their lanes', async (context) => {
    const { database, time, startNode, queue } = await start(context);
    await queue([1, 2].flatMap((event_number) => ['a', 'b'].map((lane) => ({ lane, event_number }))));
    const due = await findDueOfEndpoint(database, { endpointId: 'endpoint', now: NOW, limit: 9 });
    const leased = await database.transaction((tx) => leaseJobs(tx, due, NOW + LEASE_MS));
    assert.equal(leased.size, 2);
    const ran = new Map<string | null, number[]>();
    const node = startNode(async ({ lane, event_number }) => {
      ran.set(lane, [...(ran.get(lane) ?? []), event_number]);
      return true;
    });
    time.now += LEASE_MS - 1;
    await node.runDue();
    assert.equal(ran.size, 0);
    time.now += 1;
    await node.runDue();
    assert.deepEqual(
      [ran.get('a'), ran.get('b')],
      [
        [1, 2],
        [1, 2],
      ],
    );
  });
});
