import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { indexOutdatedUsers } from '../../features/users/records/metadata-index/index-users.ts';
import { setMetadataIndex } from '../../features/users/records/metadata-index/metadata-index.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const ADD_USER = sql(`
  insert into users (id, user_metadata, app_metadata, state, owns_email, created_at, updated_at, version)
  values ($1, $2, $3, 'active', 0, 0, 0, 1)`);
const GENERATIONS = sql<{ id: string; metadata_generation: number | null }>(
  'select id, metadata_generation from users order by id',
);
const KEYS = sql<{ user_id: string }>('select user_id from user_metadata_keys order by user_id');

describeOnEachEngine('migration 25', (engine) => {
  test('migration 25 leaves users with metadata to be indexed as soon as a member is', async (context) => {
    const database = await openBeforeMigration(context, engine, 25);
    const users = { a: ['{"plan":"pro"}', null], b: [null, '{"plan":"pro"}'], c: [null, null] } as const;
    await database.transaction(async (tx) => {
      for (const [id, values] of Object.entries(users)) await tx.run(ADD_USER, id, ...values);
    });
    await migrate(database);
    const generations = (await database.all(GENERATIONS)).map(
      ({ metadata_generation }) => metadata_generation,
    );
    assert.deepEqual(generations, [0, 0, null]);
    await setMetadataIndex(database, ['app_metadata.plan', 'user_metadata.plan']);
    assert.equal(await database.transaction((tx) => indexOutdatedUsers(tx, 10)), 2);
    const keys = (await database.all(KEYS)).map(({ user_id }) => user_id);
    assert.deepEqual(keys, ['a', 'b']);
  });
});
