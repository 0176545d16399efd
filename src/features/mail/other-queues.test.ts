import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { insertJobs } from '../jobs/lanes/insert-jobs.ts';
import { findDueOfEndpoint, type NewJob } from '../jobs/lanes/queries.ts';
import { URGENT } from '../jobs/priority.ts';
import { countJobsUpTo } from '../jobs/queries.ts';
import { retryWaitingMail } from './delivery/rescheduling/retry-waiting-mail.ts';
import { countAnonymousMail, findDueMail } from './queries.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

describeOnEachEngine('jobs of webhooks', (engine) => {
  const service = useService(engine);

  test('jobs of webhooks are not found, counted or retried as messages', async () => {
    const { database } = service.service;
    const create = (event_number: number, created_at: number): NewJob => {
      const rest = { lane: 'lane', endpoint_id: 'endpoint', expires_at: NOW + DAY };
      return { id: newId(), event_number, created_at, priority: URGENT, ...rest };
    };
    await database.transaction((tx) => insertJobs(tx, [create(1, NOW + HOUR), create(2, NOW)]));
    assert.equal(await retryWaitingMail(database, () => NOW), 0);
    assert.deepEqual(await findDueMail(database, NOW + DAY, 10), []);
    assert.equal(await countAnonymousMail(database, 10), 0);
    const counts = { waiting: 0, failed: 0, oldest: null };
    assert.deepEqual({ ...(await countJobsUpTo(database, { queue: 'mail', now: NOW, limit: 10 })) }, counts);
    assert.equal((await countJobsUpTo(database, { queue: 'webhook', now: NOW, limit: 10 })).waiting, 2);
    const search = { endpointId: 'endpoint', now: NOW + DAY, limit: 10 };
    const due = await findDueOfEndpoint(database, search);
    assert.deepEqual(
      due.map(({ event_number }) => event_number),
      [1],
    );
  });
});
