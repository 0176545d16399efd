/** Two services that deliver the events of one database. */
import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { recordEvent } from '../../src/features/events/record-event.ts';
import { LEASE_MS } from '../../src/features/webhooks/delivery/webhook-jobs.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { useDatabase } from '../support/database.ts';
import { admin } from '../support/environment.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { until } from '../support/until.ts';
import { listReceived } from '../support/webhooks.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const SUBJECTS = 8;
const EVENTS = 10;
/** Requests after which one of the nodes ends. */
const ENOUGH = 20;
const JOBS = sql<{ id: string }>("select id from jobs where queue = 'webhook'");
const DELIVERED = sql<{ event_id: string }>(
  "select event_id from webhook_deliveries where state = 'delivered'",
);
/** Those that a node that was killed leaves behind: deliveries of the other one do not take as long. */
const EXPIRE_LEASES = sql('update jobs set next_attempt_at = 0, leased_until = null where leased_until < $1');
const CLEAR = ['jobs', 'webhook_deliveries', 'webhook_endpoints'].map((table) => sql(`delete from ${table}`));

describeOnPostgres('two nodes that deliver events', () => {
  const { database, testDatabase } = useDatabase('postgres');
  beforeEach(async () => {
    await database.transaction(async (tx) => {
      for (const statement of CLEAR) await tx.run(statement);
    });
  });

  const countJobs = async () => (await database.all(JOBS)).length;

  /** Starts two nodes with an endpoint, and records events of several users. */
  async function deliverByTwo(context: TestContext) {
    const receiver = await startReceiver(NO_CONTENT);
    context.after(() => receiver.close());
    const settings = { WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' };
    // The secret key is in the directory that both have.
    const first = await startProcess(testDatabase, settings);
    const second = await startProcess(testDatabase, settings);
    const body = { url: receiver.url, types: ['link.sent'] };
    assert.equal((await first.api.post('/api/v1/webhooks', body, admin)).status, 201);
    const subjects = Array.from({ length: SUBJECTS }, () => `user:${newId()}`);
    await database.transaction(async (tx) => {
      for (let count = 0; count < EVENTS; count++) {
        for (const subject of subjects)
          await recordEvent(tx, { type: 'link.sent', subject, now: Date.now() });
      }
    });
    await until(() => receiver.requests.length >= ENOUGH, 'deliveries are in progress');
    return { receiver, first, second, subjects };
  }

  const areDelivered = async () =>
    (await database.all(DELIVERED)).length === SUBJECTS * EVENTS && (await countJobs()) === 0;

  const expected = (subjects: readonly string[]) =>
    subjects
      .flatMap((subject) => Array.from({ length: EVENTS }, (_, index) => `${subject} ${index + 1}`))
      .toSorted();
  const stop = async (node: ServiceProcess) => assert.equal((await node.kill('SIGTERM')).code, 0);

  test('two nodes deliver each event once, also while one of them stops', async (context) => {
    const { receiver, first, second, subjects } = await deliverByTwo(context);
    await stop(first);
    await until(areDelivered, 'all events are delivered');
    await stop(second);
    assert.deepEqual(listReceived(receiver.requests).toSorted(), expected(subjects));
  });

  test('a node that is killed costs repeated deliveries at most, and no event is lost', async (context) => {
    const { receiver, first, second, subjects } = await deliverByTwo(context);
    assert.equal((await first.kill('SIGKILL')).signal, 'SIGKILL');
    const others = async () => {
      await database.transaction((tx) => tx.run(EXPIRE_LEASES, Date.now() + LEASE_MS - 2_000));
      return areDelivered();
    };
    await until(others, 'all events are delivered');
    await stop(second);
    const received = new Set(listReceived(receiver.requests));
    assert.deepEqual([...received].toSorted(), expected(subjects));
  });
});
