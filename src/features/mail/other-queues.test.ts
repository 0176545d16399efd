import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import { countJobsUpTo, URGENT } from '../jobs/queries.ts';
import { retryWaitingMail } from './delivery/retry-waiting-mail.ts';
import { countAnonymousMail, findDueMail } from './queries.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const INSERT = sql(`
  insert into jobs (id, queue, endpoint_id, priority, attempts, next_attempt_at, created_at, expires_at)
  values ($1, 'webhook', 'endpoint', ${URGENT}, 0, $2, $2, $3)`);

describeOnSqlite('jobs of webhooks', (engine) => {
  const service = useService(engine);

  test('jobs of webhooks are not found, counted or retried as messages', async () => {
    const { database } = service;
    await database.transaction(async (tx) => {
      await tx.run(INSERT, 'later', NOW + HOUR, NOW + DAY);
      await tx.run(INSERT, 'due', NOW, NOW + DAY);
    });
    assert.equal(await retryWaitingMail(database, () => NOW), 0);
    assert.deepEqual(await findDueMail(database, NOW + DAY, 10), []);
    assert.equal(await countAnonymousMail(database, 10), 0);
    const counts = { waiting: 0, failed: 0, oldest: null };
    assert.deepEqual({ ...(await countJobsUpTo(database, { queue: 'mail', now: NOW, limit: 10 })) }, counts);
    assert.equal((await countJobsUpTo(database, { queue: 'webhook', now: NOW, limit: 10 })).waiting, 2);
  });
});
