import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { sql } from '../../../database/database.ts';
import { retryWaitingMail } from './retry-waiting-mail.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ROWS = 1_203;
/** Every second message is due, and every tenth is being sent. */
const INSERT = sql(`
  insert into jobs
    (id, kind, email, email_key, data, attempts, next_attempt_at, leased_until, created_at, expires_at,
     queue, priority, origin)
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
  select 'id-' || cast(i as text), 'verify_email', 'a@b', 'a@b', '{}', 1, t + (i % 2) * 1000,
         case when i % 10 = 1 then t + 1000 end, t, t + 9999, 'mail', 0, 'user'
  from n cross join (select cast($1 as bigint) as t) as start`);
const LATER = sql<{ messages: number }>('select count(*) as messages from jobs where next_attempt_at > $1');

describeStorage('retryWaitingMail', (engine) => {
  const service = useService(engine);

  test('retryWaitingMail makes all messages due in batches, except those that a node sends now, and counts them', async () => {
    const { database } = service;
    await database.transaction((tx) => tx.run(INSERT, NOW));
    const sending = Math.ceil(ROWS / 10);
    assert.equal(await retryWaitingMail(database, () => NOW), Math.ceil(ROWS / 2) - sending);
    assert.equal((await database.get(LATER, NOW))!.messages, sending);
    assert.equal(await retryWaitingMail(database, () => NOW), 0);
    assert.equal(await retryWaitingMail(database, () => NOW + 1000), 0);
  });
});
