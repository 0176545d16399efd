import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useDatabase } from '../../../../test/support/database.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useWebhooks } from '../../../../test/support/webhooks.ts';
import { sql, type Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time.ts';
import { enqueueDeliveries } from '../deliveries/enqueue-deliveries.ts';
import { insertAttempt } from '../deliveries/queries.ts';
import { webhookStore } from '../queries.ts';
import { deleteAbandonedDeliveries, deleteOldDeliveries, trimDeliveries } from './queries.ts';

const COUNT = sql<{ deliveries: number; attempts: number; jobs: number }>(`
  select (select count(*) from webhook_deliveries) as deliveries,
    (select count(*) from webhook_attempts) as attempts, (select count(*) from jobs) as jobs`);
const FINISH = sql('update webhook_deliveries set state = $1, finished_at = $2');

describeStorage('the housekeeping of deliveries', (engine) => {
  const { database } = useDatabase(engine);

  const write = <T>(work: (tx: Tx) => Promise<T>) => database.transaction(work);
  const count = async () => ({ ...(await database.get(COUNT)) });
  async function insert(endpointId: string, number: number, now: number): Promise<void> {
    const event = { type: 'link.sent', subject: 'user:one', sequence: 1, created_at: now };
    const events = Array.from({ length: number }, (_, index) => ({
      ...event,
      id: newId(),
      number: index + 1,
    }));
    await write(async (tx) => {
      const ids = await enqueueDeliveries(tx, { endpointId, now }, events);
      const attempt = {
        attempt: 1,
        at: now,
        duration_ms: 1,
        status: 200,
        error: null,
        line: null,
        request: null,
        response: null,
      };
      for (const delivery_id of ids) await insertAttempt(tx, { ...attempt, delivery_id });
    });
  }

  test('deliveries of a deleted webhook are deleted in batches with their jobs and attempts, others stay', async (context) => {
    const { create, time } = await useWebhooks(context, database);
    const [kept, deleted] = [await create('https://example.com/1'), await create('https://example.com/2')];
    for (const { id } of [kept, deleted]) await insert(id, 30, time.now);
    await write((tx) => webhookStore.delete(tx, deleted.id));
    const run = () => write((tx) => deleteAbandonedDeliveries(tx, time.now, 20));
    assert.equal(await run(), 20);
    assert.deepEqual(await count(), { deliveries: 40, attempts: 40, jobs: 40 });
    assert.equal(await run(), 20);
    assert.equal(await run(), 0);
    assert.deepEqual(await count(), { deliveries: 30, attempts: 30, jobs: 30 });
  });

  test('delivered ones are deleted after three days, failed ones after thirty', async (context) => {
    for (const [state, days] of [
      ['delivered', 3],
      ['failed', 30],
    ] as const) {
      const { create, time } = await useWebhooks(context, database);
      await insert((await create('https://example.com/')).id, 5, time.now);
      await write((tx) => tx.run(FINISH, state, time.now));
      const run = (now: number) => write((tx) => deleteOldDeliveries(tx, now, 3));
      assert.equal(await run(time.now + days * DAY), 0);
      assert.equal(await run(time.now + days * DAY + 1), 3);
      assert.equal(await run(time.now + days * DAY + 1), 2);
      assert.equal((await count()).attempts, 0);
    }
  });

  test('the newest 1,000 delivered ones of a webhook are kept', async (context) => {
    const { create, time } = await useWebhooks(context, database);
    const { id } = await create('https://example.com/');
    for (const number of [500, 500, 30]) await insert(id, number, time.now);
    await write((tx) => tx.run(FINISH, 'delivered', time.now));
    for (const expected of [20, 10, 0])
      assert.equal(await write((tx) => trimDeliveries(tx, time.now, 20)), expected);
    assert.equal((await count()).deliveries, 1_000);
  });
});
