import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const ADD_USER = sql(`
  insert into users (id, state, owns_email, created_at, updated_at, version) values ('user', 'active', 1, 0, 0, 1)`);
const ADD_MAIL = sql(`
  insert into mail_queue (id, kind, user_id, email, email_key, data, attempts, next_attempt_at, created_at, expires_at)
  values ($1, $2, $3, '', '', '{}', 0, 0, 0, 0)`);
const QUEUE = sql<{ id: string; priority: number; origin: string }>(
  'select id, priority, origin from mail_queue order by id',
);

describeOnEachEngine('migration 10', (engine) => {
  test('migration 10 sets the priority and origin of waiting messages to those of new ones', async (context) => {
    const database = await openBeforeMigration(context, engine, 10);
    const expected = [
      ['reset_password', null, 0, 'anonymous'],
      ['verify_email', null, 0, 'anonymous'],
      ['verify_email', 'user', 0, 'user'],
      ['change_email', 'user', 0, 'user'],
      ['reset_password', 'user', 1, 'administrator'],
      ['new_network', 'user', 1, 'user'],
      ['claim_account', 'user', 2, 'administrator'],
    ] as const;
    await database.transaction(async (tx) => {
      await tx.run(ADD_USER);
      for (const [index, [kind, user]] of expected.entries())
        await tx.run(ADD_MAIL, String(index), kind, user);
    });
    await migrate(database, migrations.slice(0, 10));
    assert.deepEqual(
      (await database.all(QUEUE)).map(({ priority, origin }) => [priority, origin]),
      expected.map(([, , priority, origin]) => [priority, origin]),
    );
  });
});
