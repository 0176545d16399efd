import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/support/runner/engines.ts';
import { openDatabase } from '../open.ts';

test('SQLite lets the event loop turn before a transaction that was queued behind another', async (context) => {
  const { url, directory, remove } = await createTestDatabase('sqlite');
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  context.after(async () => {
    await database.close();
    await remove();
  });
  let turns = 0;
  let isOver = false;
  setImmediate(function count() {
    turns++;
    if (!isOver) setImmediate(count);
  });
  const startedIn = await Promise.all(
    Array.from({ length: 5 }, () => database.transaction(async () => turns)),
  );
  isOver = true;
  assert.equal(new Set(startedIn).size, startedIn.length, `${startedIn}`);
});
