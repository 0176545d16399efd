import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmptyDatabase } from '../../test/support/database.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { withErrorCount } from './count-errors.ts';
import { sql } from './database.ts';

describeStorage('withErrorCount', (engine) => {
  test('withErrorCount reports failed statements, but no rejection by a use case', async (context) => {
    const kinds: string[] = [];
    const opened = await openEmptyDatabase(context, engine);
    const database = withErrorCount(opened, (kind) => void kinds.push(kind));
    const missing = sql('select id from missing');
    await database.get(sql('select 1 as one'));
    await assert.rejects(database.get(missing));
    await assert.rejects(database.all(missing));
    await assert.rejects(database.transaction((tx) => tx.run(missing)));
    assert.deepEqual(kinds, ['other', 'other', 'other']);
    const rejection = new Error('rejected by a use case');
    await assert.rejects(
      database.transaction(() => Promise.reject(rejection)),
      rejection,
    );
    assert.equal(kinds.length, 3);
  });
});
