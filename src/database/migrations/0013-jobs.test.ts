import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const ADD_USER = sql(`
  insert into users (id, state, owns_email, created_at, updated_at, version) values ('user', 'active', 1, 0, 0, 1)`);
const ERASE_USER = sql("delete from users where id = 'user'");
const ADD_MAIL = sql(`
  insert into mail_queue (id, kind, user_id, email, email_key, data, attempts, next_attempt_at, leased_until,
    created_at, expires_at, priority, origin)
  values ($1, 'verify_email', $2, 'Ada@example.com', 'ada@example.com', '{"a":1}', $3, $4, $5, 6, 7, $3, $6)`);
const BEFORE = sql<object>('select * from mail_queue order by id');
const AFTER = sql<object>('select * from jobs order by id');

describeOnEachEngine('migration 13', (engine) => {
  test('migration 13 keeps all waiting messages, those that are being sent among them, as jobs of the queue of mail', async (context) => {
    const database = await openBeforeMigration(context, engine, 13);
    await database.transaction(async (tx) => {
      await tx.run(ADD_USER);
      await tx.run(ADD_MAIL, 'a', 'user', 0, 5, null, 'user');
      await tx.run(ADD_MAIL, 'b', null, 1, 300_000, 300_000, 'anonymous');
      await tx.run(ADD_MAIL, 'c', 'user', 2, 900, null, 'administrator');
    });
    const messages = await database.all(BEFORE);
    await migrate(database, migrations.slice(0, 13));
    const added = { queue: 'mail', lane: null, last_error: null, endpoint_id: null, event_number: null };
    assert.equal(messages.length, 3);
    assert.deepEqual(
      (await database.all(AFTER)).map((job) => ({ ...job })),
      messages.map((message) => ({ ...message, ...added })),
    );
    assert.equal(await database.hasTable('mail_queue'), false);
    await database.transaction((tx) => tx.run(ERASE_USER));
    assert.equal((await database.all(AFTER)).length, 1, 'the messages to an erased user are deleted');
  });
});
