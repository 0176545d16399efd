import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { toSearchText, toTrigrams } from '../../lib/text/search-text.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const ADD_USER = sql(`
  insert into users (id, name_key, email_key, state, owns_email, created_at, updated_at, version)
  values ($1, $2, $3, 'active', 0, 0, 0, 1)`);
const TEXTS = sql<{ name_key: string | null; email_key: string | null; content: string }>(
  'select name_key, email_key, content from users left join user_texts on user_id = users.id',
);

const NAMES = [null, '', 'grace brewster hopper', 'гость', '王偉'];

describeOnEachEngine('migration 27', (engine) => {
  // More than one batch of users.
  for (const users of [0, NAMES.length, 1_203]) {
    test(`migration 27 indexes ${users} users as later writes do`, async (context) => {
      const database = await openBeforeMigration(context, engine, 27);
      await database.transaction(async (tx) => {
        for (let number = 0; number < users; number++) {
          const email = number % 2 === 0 ? null : `user.${number}@example.org`;
          await tx.run(ADD_USER, newId(), NAMES[number % NAMES.length]!, email);
        }
      });
      await migrate(database);
      const rows = await database.all(TEXTS);
      assert.equal(rows.length, users);
      for (const { name_key, email_key, content } of rows)
        assert.equal(content, toSearchText(name_key, email_key));
      for (const term of ['rewst', '偉', 'гос', '@example.org']) {
        const found = await database.all(database.textSearch.find, JSON.stringify(toTrigrams(term)), 2_000);
        const expected = rows.filter((row) => `${row.name_key} ${row.email_key}`.includes(term));
        assert.equal(found.length, expected.length, term);
      }
    });
  }
});
