import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDatabase } from '../../../../test/support/database.ts';
import { respondWith, startReceiver } from '../../../../test/support/receiver.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useWebhooks } from '../../../../test/support/webhooks.ts';
import type { Database } from '../../../database/database.ts';
import { sendHead } from './enqueue-deliveries.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');

describeOnEachEngine('the head of the record', (engine) => {
  let database: Database;
  useDatabase(engine, (opened) => {
    database = opened;
  });

  test('the head of the record is sent to enabled webhooks that name events.head, and to no others', async (context) => {
    const receiver = await startReceiver(NO_CONTENT);
    context.after(() => receiver.close());
    const { create, deliver, time } = await useWebhooks(context, database, { deadlineMs: 15_000 });
    await create(`${receiver.url}/named`, { types: ['user.erased', 'events.head'] });
    await create(`${receiver.url}/disabled`, { types: ['events.head'], enabled: false });
    await create(`${receiver.url}/other`, { types: ['user.erased'] });
    await create(`${receiver.url}/all`);
    await sendHead(database, { number: 7, digest: 'a-digest' }, time.now);
    await deliver();
    const heads = receiver.requests.filter(({ body }) => JSON.parse(body).type === 'events.head');
    assert.equal(heads.length, 1);
    assert.match(heads[0]!.start, /\/named /);
    const { timestamp, data } = JSON.parse(heads[0]!.body);
    assert.equal(timestamp, new Date(time.now).toISOString());
    assert.deepEqual([data.number, data.digest, data.subject], [7, 'a-digest', null]);
  });
});
