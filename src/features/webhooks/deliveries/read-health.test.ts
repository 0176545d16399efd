import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { type Reader, sql } from '../../../database/database.ts';
import { firstIdAt } from '../../../lib/secrets/ids.ts';
import { MINUTE } from '../../../lib/time.ts';
import { findEndpoint } from '../queries.ts';
import { MAX_PENDING } from '../webhook.ts';
import { readHealth } from './read-deliveries.ts';

const INSERT_FAILED = sql(`
  insert into webhook_deliveries
    (id, endpoint_id, event_id, type, state, attempts, occurred_at, created_at, finished_at)
  with recursive n (i) as (select 1 union all select i + 1 from n where i < cast($4 as bigint))
  select $1 || cast(100000 + i as text), $2, 'event', 'user.created', 'failed', 1, cast($3 as bigint),
    cast($3 as bigint), cast($3 as bigint) + i
  from n`);

describeStorage('the health of a webhook', (engine) => {
  const service = useService(engine);

  for (const [failed, undelivered] of [
    [3, 2],
    [MAX_PENDING + 5, MAX_PENDING + 1],
  ] as const)
    test(`${failed} failed deliveries of a webhook are counted since it fails, at most 10,001, and not read`, async () => {
      const { database } = service;
      const settings = { url: 'https://example.com/hook', types: ['users.exported'] };
      const created = await service.api.post('/api/v1/webhooks', settings, admin);
      const endpoint = (await findEndpoint(database, created.body.data.id))!;
      const now = Date.now();
      const prefix = firstIdAt(now).slice(0, 24) + failed;
      await database.transaction((tx) => tx.run(INSERT_FAILED, prefix, endpoint.id, now, failed));
      let read = 0;
      const counting: Reader = {
        ...database,
        async all(...args) {
          const rows = await database.all(...args);
          read += rows.length;
          return rows;
        },
      };
      // The first one had failed before.
      const failing = { ...endpoint, failing_since: now + 2 };
      assert.equal((await readHealth(counting, failing, now + MINUTE)).undelivered, undelivered);
      assert.equal(read, 0);
      const healthy = await readHealth(database, endpoint, now + MINUTE);
      assert.deepEqual([healthy.undelivered, healthy.recent.failed], [0, Math.min(failed, 100)]);
    });
});
