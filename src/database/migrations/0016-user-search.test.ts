import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { normalizeName } from '../../lib/text/names.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const ADD_USER = sql(`
  insert into users (id, name, name_key, email_key, state, owns_email, created_at, updated_at, version)
  values ($1, $2, $3, $4, 'active', 0, 0, 0, 1)`);
const KEYS = sql<{ name: string | null; name_key: string | null }>('select name, name_key from users');

const NAMES = [
  null,
  '',
  'Grace Brewster Hopper',
  'Élodie Größ',
  'ΟΔΥΣΣΕΥΣ',
  '1 2 3 4 5 6 7 8 9 10 11 12 13 14',
];

describeOnEachEngine('migration 16', (engine) => {
  // More than one batch of users.
  for (const users of [0, NAMES.length, 1_203]) {
    test(`migration 16 writes the keys of the names of ${users} users as later writes do`, async (context) => {
      const database = await openBeforeMigration(context, engine, 16);
      await database.transaction(async (tx) => {
        for (let number = 0; number < users; number++) {
          const name = NAMES[number % NAMES.length]!;
          const email = number % 5 === 0 ? null : `user.${number}@example.org`;
          await tx.run(ADD_USER, newId(), name, name?.toLowerCase() ?? null, email);
        }
      });
      await migrate(database);
      const rows = await database.all(KEYS);
      assert.equal(rows.length, users);
      for (const { name, name_key } of rows)
        assert.equal(name_key, name === null ? null : normalizeName(name));
    });
  }
});
