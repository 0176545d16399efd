import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import {
  assertExactFigures,
  assertExactPreviousDays,
  countedFigures,
} from '../../../test/support/statistics/statistics.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const ADD_USER = sql(`
  insert into users (id, state, owns_email, created_at, updated_at, version) values ($1, $2, $3, $4, $4, 1)`);
const ADD_TOKEN = sql(`
  insert into tokens (hash, id, user_id, name, scopes, created_at, expires_at)
  values ($1, $1, $2, 'auth_token', '', 0, $3)`);
const ADD_ACTIVITY = sql('insert into user_activity (day, user_id) values ($1, $2)');
const NOON = Date.UTC(2026, 2, 31, 12);

describeOnEachEngine('migration 6', (engine) => {
  for (const users of [0, 20]) {
    test(`migration 6 computes the figures of ${users} users of an older release`, async (context) => {
      const database = await openBeforeMigration(context, engine, 6);
      await database.transaction(async (tx) => {
        for (let number = 0; number < users; number++) {
          const id = newId();
          const state = ['unclaimed', 'active', 'disabled'][number % 3]!;
          await tx.run(ADD_USER, id, state, number % 2, NOON - (number % 7) * DAY);
          await tx.run(ADD_TOKEN, newId(), id, NOON + number * HOUR);
          for (const day of [50, 10 + number, 40]) await tx.run(ADD_ACTIVITY, day, id);
        }
      });
      await migrate(database);
      assert.equal(Object.keys(await countedFigures(database)).length > 0, users > 0);
      await assertExactFigures(database);
      await assertExactPreviousDays(database);
    });
  }
});
