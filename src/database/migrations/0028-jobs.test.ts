import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const INSERT = sql(`
  insert into jobs (id, queue, lane, endpoint_id, event_number, priority, attempts, next_attempt_at, created_at, expires_at)
  values ($1, 'webhook', $2, 'endpoint', 1, 1, 0, $3, 5, 9)`);
const JOBS = sql<{ id: string; next_attempt_at: number }>('select id, next_attempt_at from jobs order by id');
const WAITING_FOR_LANE = 8_640_000_000_000_000;

describeOnEachEngine('migration 28', (engine) => {
  test('migration 28 makes deliveries due that waited for an earlier one about their subject', async (context) => {
    const database = await openBeforeMigration(context, engine, 28);
    await database.transaction(async (tx) => {
      await tx.run(INSERT, 'a', 'lane', 7);
      await tx.run(INSERT, 'b', 'lane', WAITING_FOR_LANE);
      await tx.run(INSERT, 'c', null, 8);
    });
    await migrate(
      database,
      migrations.filter(({ version }) => version <= 28),
    );
    const due = (await database.all(JOBS)).map(({ id, next_attempt_at }) => [id, next_attempt_at]);
    assert.deepEqual(due, [
      ['a', 7],
      ['b', 5],
      ['c', 8],
    ]);
  });
});
