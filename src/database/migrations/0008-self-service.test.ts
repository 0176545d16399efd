import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { normalizeName } from '../../lib/text/names.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const ADD_USER = sql(`
  insert into users (id, name, state, owns_email, created_at, updated_at, version)
  values ($1, $2, 'active', 1, 0, 0, 1)`);
const KEYS = sql<{ name: string | null; name_key: string | null }>('select name, name_key from users');

const NAMES = [
  null,
  '',
  'Ada',
  'ÉLODIE',
  'E\u0301lodie',
  'ΟΔΥΣΣΕΥΣ',
  'İPEK',
  '\u00a0Ada\u2003',
  '\u{1F600}',
  'ＡＢＣ',
];

describeOnEachEngine('migration 8', (engine) => {
  // More than one batch.
  for (const users of [0, NAMES.length, 1_203]) {
    test(`migration 8 normalizes the names of ${users} users in the same way as later writes`, async (context) => {
      const database = await openBeforeMigration(context, engine, 8);
      await database.transaction(async (tx) => {
        for (let number = 0; number < users; number++) {
          await tx.run(ADD_USER, newId(), NAMES[number % NAMES.length]!);
        }
      });
      await migrate(database);
      const rows = await database.all(KEYS);
      assert.equal(rows.length, users);
      for (const { name, name_key } of rows) {
        assert.equal(name_key, name === null ? null : normalizeName(name));
      }
    });
  }
});
