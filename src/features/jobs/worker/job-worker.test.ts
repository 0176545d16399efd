import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { insertJobs } from '../lanes/insert-jobs.ts';
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

type Run = (job: WebhookJob) => Promise<boolean>;

describeOnEachEngine('workers on jobs of lanes', (engine) => {
  const service = useService(engine);

  async function start(context: { after(clean: () => Promise<void>): void }) {
    const { database } = service.service;
    await database.transaction((tx) => tx.run(CLEAR));
    const time = { now: NOW };
    const clock = () => time.now;
    /** Starts a worker. Jobs for which `run` resolves with false are repeated after as many minutes as attempts. */
    const startNode = (run: Run) => {
      const postponement = { clock, random: () => 0, retryDelay: (attempts: number) => attempts * MINUTE };
      const worker = new JobWorker<WebhookJob>(
        { database, clock, monotonicClock: clock },
        {
          queue: 'webhook',
          maxRetryDelayMs: HOUR,
          maxRunning: MAX_RUNNING,
          findNext: (running) =>
            findDueOfEndpoint(database, {
              endpointId: 'endpoint',
              now: clock(),
              limit: MAX_RUNNING - running,
            }),
          async begin(job) {
            if (!(await database.transaction((tx) => leaseJob(tx, job, clock() + LEASE_MS)))) return null;
            return async () => {
              const isDone = await run(job);
              const failure = { job, lastError: '503' };
              if (!isDone) await database.transaction((tx) => postponeJob(tx, postponement, failure));
              return { isDone };
            };
          },
          onUnavailable: (error) => assert.fail(String(error)),
          onNotStored: (_job, error) => assert.fail(String(error)),
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
    return { database, time, startNode, queue };
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
});
