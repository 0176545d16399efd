import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDatabase } from '../../../../test/support/database.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { respondWith, startReceiver } from '../../../../test/support/receiver.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { listReceived, useWebhooks } from '../../../../test/support/webhooks.ts';
import { type Database, sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { MAX_PENDING } from '../webhook.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const INSERT_PENDING = sql(`
  with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < $2)
  insert into webhook_deliveries (id, endpoint_id, event_id, type, occurred_at, state, attempts, created_at)
  select $1 || '-' || cast(i as text), $1, $1, 'user.updated', 1, 'pending', 0, 1 from n`);
const DELETE_ONE = sql("delete from webhook_deliveries where id = $1 || '-1'");
const PAUSE_MS = 5_000;

describeOnEachEngine('the fan-out of events', (engine) => {
  let database: Database;
  useDatabase(engine, (opened) => {
    database = opened;
  });

  test('an endpoint with 10,000 pending deliveries gets no more until there is room, and then all of them', async (context) => {
    const receiver = await startReceiver(NO_CONTENT);
    context.after(() => receiver.close());
    const { create, record, fanOut, deliver, time } = await useWebhooks(context, database, {
      deadlineMs: 15_000,
    });
    const types = ['user.updated'] as const;
    const full = await create(`${receiver.url}/full`, { types });
    await create(`${receiver.url}/other`, { types });
    const receivedAt = (path: string) =>
      listReceived(receiver.requests.filter(({ start }) => start.includes(path)));
    await database.transaction((tx) => tx.run(INSERT_PENDING, full.id, MAX_PENDING));
    const subject = `user:${newId()}`;
    for (let count = 0; count < 3; count++) await record(subject);
    await numberAllEvents(database);
    await deliver();
    assert.deepEqual(receivedAt('/full'), []);
    assert.equal(receivedAt('/other').length, 3);
    time.now += PAUSE_MS;
    assert.equal(await fanOut(), 0);
    await database.transaction((tx) => tx.run(DELETE_ONE, full.id));
    assert.equal(await fanOut(), 0, 'counted again after a pause');
    time.now += PAUSE_MS;
    await deliver();
    assert.deepEqual(
      receivedAt('/full').toSorted(),
      [1, 2, 3].map((sequence) => `${subject} ${sequence}`),
    );
  });
});
