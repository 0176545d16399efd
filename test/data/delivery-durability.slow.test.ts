/** After kill -9 between a delivery and its record, the delivery is repeated, and none is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { recordEvent } from '../../src/features/events/record-event.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { useDatabase } from '../support/database.ts';
import { startProcess } from '../support/processes/process.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { describeOnEachEngine } from '../support/runner/engines.ts';
import { admin } from '../support/service.ts';
import { until } from '../support/until.ts';
import { listReceived } from '../support/webhooks.ts';

const environment = { WEBHOOK_ALLOW: '127.0.0.1' };
const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const JOBS = sql<{ id: string }>("select id from jobs where queue = 'webhook'");
/** On PostgreSQL another node could still be sending: the lease of a node that was killed has to expire. */
const EXPIRE_LEASES = sql(
  'update jobs set next_attempt_at = 0, leased_until = null where leased_until is not null',
);

describeOnEachEngine('kill -9 during the delivery of events', (engine) => {
  const { database, testDatabase } = useDatabase(engine);

  test('kill -9 while a receiver processes deliveries repeats these and loses none', async (context) => {
    let isHanging = true;
    const receiver = await startReceiver((socket, request) => {
      if (!isHanging) NO_CONTENT(socket, request);
    });
    context.after(() => receiver.close());
    const first = await startProcess(testDatabase, environment);
    const body = { url: receiver.url, types: ['link.sent'] };
    assert.equal((await first.api.post('/api/v1/webhooks', body, admin)).status, 201);
    const subjects = [`user:${newId()}`, `user:${newId()}`];
    for (let count = 0; count < 5; count++) {
      for (const subject of subjects)
        await database.transaction((tx) => recordEvent(tx, { type: 'link.sent', subject, now: Date.now() }));
    }
    await until(() => receiver.requests.length === 4, 'the first deliveries are in progress');
    await until(async () => (await database.all(JOBS)).length === 10, 'all jobs are stored');
    assert.equal((await first.kill('SIGKILL')).signal, 'SIGKILL');

    isHanging = false;
    if (database.isShared) await database.transaction((tx) => tx.run(EXPIRE_LEASES));
    const second = await startProcess(testDatabase, environment);
    await until(async () => (await database.all(JOBS)).length === 0, 'all are delivered');
    assert.equal((await second.kill('SIGTERM')).code, 0);
    const received = listReceived(receiver.requests);
    const expected = subjects.flatMap((subject) =>
      [1, 2, 3, 4, 5].map((sequence) => `${subject} ${sequence}`),
    );
    assert.deepEqual([...new Set(received)].toSorted(), expected.toSorted());
    assert.equal(received.length, expected.length + 4, 'those in progress are repeated');
  });
});
