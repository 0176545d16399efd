import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluck } from '../../../test/support/pluck.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { getActionContext, runInContext } from '../../callers/action-context.ts';
import { DatabaseUnavailable, sql } from '../../database/database.ts';
import { prepareAll } from '../../database/prepare.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { JobWorker } from './job-worker.ts';
import { deleteExpiredJobs, finishJob, type Job, leaseJob, releaseJob } from './queries.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const LEASE_MS = 30_000;
const MAX_RUNNING = 3;
const CLEAR = sql('delete from jobs');
const INSERT = sql(`
  insert into jobs (id, queue, endpoint_id, priority, attempts, next_attempt_at, created_at, expires_at)
  values ($1, 'webhook', $2, 0, 0, $3, $3, $4)`);
const ROWS = sql<{ name: string; attempts: number; next_attempt_at: number; last_error: string }>(
  'select endpoint_id as name, attempts, next_attempt_at, last_error from jobs order by id',
);

interface NamedJob extends Job {
  readonly endpoint_id: string;
}

const findDue = prepareAll<NamedJob, { now: number; limit: number }>(`
  select id, attempts, endpoint_id from jobs where next_attempt_at <= $now order by next_attempt_at, id limit $limit`);

describeStorage('workers on jobs', (engine) => {
  const service = useService(engine);

  async function start(context: { after(clean: () => Promise<void>): void }) {
    const { database } = service;
    await database.transaction((tx) => tx.run(CLEAR));
    const time = { now: NOW };
    const clock = () => time.now;
    const notStored: string[] = [];
    /** Starts a worker. Jobs for which `run` resolves with false are repeated after as many minutes as attempts. */
    const startNode = (run: (name: string) => Promise<boolean>, onStore = (_name: string) => {}) => {
      const worker = new JobWorker<NamedJob>(
        { database, clock, monotonicClock: clock, pollMs: DAY },
        {
          queue: 'webhook',
          maxRetryDelayMs: HOUR,
          maxRunning: MAX_RUNNING,
          findNext: ({ length }) => findDue(database, { now: clock(), limit: MAX_RUNNING - length }),
          async begin(job) {
            if (!(await database.transaction((tx) => leaseJob(tx, job, clock() + LEASE_MS)))) return null;
            return async () => {
              const isDone = await run(job.endpoint_id);
              const nextAttemptAt = clock() + (job.attempts + 1) * MINUTE;
              return {
                async store(tx) {
                  onStore(job.endpoint_id);
                  if (isDone) await finishJob(tx, job);
                  else await releaseJob(tx, job, { nextAttemptAt, lastError: '503' });
                },
              };
            };
          },
          onUnavailable: (error) => assert.ok(error instanceof DatabaseUnavailable, String(error)),
          onNotStored: (job) => notStored.push(job.endpoint_id),
        },
      );
      context.after(() => worker.close());
      return worker;
    };
    const queue = (...names: string[]) =>
      database.transaction(async (tx) => {
        for (const name of names) await tx.run(INSERT, newId(), name, NOW, NOW + DAY);
      });
    const rows = async () => (await database.all(ROWS)).map((row) => ({ ...row }));
    return { database, time, startNode, queue, notStored, rows };
  }

  test('several nodes run each job once, and a node runs as many at once as it may', async (context) => {
    const { startNode, queue, rows } = await start(context);
    const names = Array.from({ length: 40 }, (_, index) => `job ${index}`);
    const ran: string[] = [];
    const startCounting = () => {
      let running = 0;
      return startNode(async (name) => {
        assert.ok(++running <= MAX_RUNNING);
        ran.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return true;
      });
    };
    const nodes = [startCounting(), startCounting(), startCounting()];
    await queue(...names);
    await until(async () => {
      await Promise.all(nodes.map((node) => node.runDue()));
      return (await rows()).length === 0;
    }, 'all jobs have run');
    assert.deepEqual(ran.toSorted(), names.toSorted());
  });

  test('a job that fails is run again after its delay, and delays no other one', async (context) => {
    const { time, startNode, queue, rows } = await start(context);
    const ran: string[] = [];
    const node = startNode(async (name) => ran.push(name) > 0 && (name !== 'failing' || ran.length > 3));
    await queue('failing', 'b', 'c');
    await node.runDue();
    const failed = { name: 'failing', attempts: 1, next_attempt_at: NOW + MINUTE, last_error: '503' };
    assert.deepEqual(await rows(), [failed]);
    time.now += MINUTE;
    await node.runDue();
    assert.deepEqual(ran, ['failing', 'b', 'c', 'failing']);
    assert.deepEqual(await rows(), []);
  });

  test('a job whose node was killed is run again after its lease, and a late outcome of the first attempt changes nothing', async (context) => {
    const { database, time, startNode, queue, rows } = await start(context);
    await queue('a');
    const [job] = await findDue(database, { now: NOW, limit: 1 });
    await database.transaction((tx) => leaseJob(tx, job!, NOW + LEASE_MS));
    const ran: string[] = [];
    const node = startNode(async (name) => ran.push(name) < 0);
    time.now += LEASE_MS - 1;
    await node.runDue();
    assert.deepEqual(ran, []);
    time.now += 1;
    await node.runDue();
    assert.deepEqual(ran, ['a']);
    const expected = await rows();
    const late = { nextAttemptAt: NOW, lastError: 'late' };
    await database.transaction((tx) => releaseJob(tx, job!, late));
    assert.deepEqual(await rows(), expected);
  });

  test('outcomes that cannot be stored are kept and prevent no others, and no job is repeated for them', async (context) => {
    const { startNode, queue, notStored, rows } = await start(context);
    const ran: string[] = [];
    const failures = new Map<string, Error>([
      ['a', new DatabaseUnavailable('the disk is full')],
      ['b', new Error('a constraint rejects the outcome')],
    ]);
    const node = startNode(
      async (name) => ran.push(name) > 0,
      (name) => {
        const failure = failures.get(name);
        if (failure !== undefined) throw failure;
      },
    );
    await queue('a', 'b', 'c');
    await node.runDue();
    assert.deepEqual(pluck(await rows(), 'name'), ['a', 'b']);
    failures.clear();
    await node.runDue();
    assert.deepEqual([ran, notStored.toSorted(), await rows()], [['a', 'b', 'c'], ['a', 'b'], []]);
  });

  test('jobs that expire are deleted, but not while they run', async (context) => {
    const { database, queue, rows } = await start(context);
    await queue('running', 'b', 'c');
    const [job] = await findDue(database, { now: NOW, limit: 1 });
    const expiry = NOW + DAY;
    await database.transaction((tx) => leaseJob(tx, job!, expiry + 1));
    const count = async (now: number, queueName: 'webhook' | 'mail' = 'webhook') => {
      const search = { queue: queueName, now, limit: 10 };
      return (await database.transaction((tx) => deleteExpiredJobs(tx, search))).length;
    };
    assert.deepEqual([await count(expiry - 1), await count(expiry, 'mail'), await count(expiry)], [0, 0, 2]);
    assert.deepEqual(pluck(await rows(), 'name'), ['running']);
    assert.equal(await count(expiry + 1), 1);
  });

  test('jobs that a request begins are run in the context of the system', async (context) => {
    const { startNode, queue } = await start(context);
    const actors: string[] = [];
    const node = startNode(async () => actors.push(getActionContext().actor.type) > 0);
    await queue('a');
    const actor = { type: 'administrator', id: null, name: 'auditor' } as const;
    runInContext({ ...getActionContext(), actor }, () => node.wake());
    await until(() => actors.length === 1, 'the job runs');
    assert.deepEqual(actors, ['system']);
  });
});
