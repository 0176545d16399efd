import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { toEnvironment } from '../support/environment.ts';
import { countCommits } from '../support/kills/count-commits.ts';
import { run } from '../support/processes/process.ts';
import { SQLITE_FILE } from '../support/runner/engines.ts';

const KILLS = 5;
const STORED = sql<{ id: string }>('select id from written');

test('of transactions on SQLite that share commits, those that were acknowledged survive kill -9, and those that were rejected leave nothing', async (context) => {
  const testDatabase = await openTestDatabase(context, 'sqlite');
  const dataDir = testDatabase.directory;
  const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
  context.after(() => database.close());
  await database.transaction((tx) => tx.run(sql('create table written (id text primary key)')));
  const outcomes: (readonly [string, string])[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const writers = run(['test/support/kills/write-groups.ts'], toEnvironment(testDatabase));
    // Lines may arrive together: each kill is after another number of them.
    await writers.find(new RegExp(`^(stored \\d+ ${kill * 20})$`, 'm'));
    writers.child.kill('SIGKILL');
    const { signal, lines } = await writers.ending;
    assert.equal(signal, 'SIGKILL');
    for (const line of lines) {
      const [, outcome = '', id = ''] = /^(stored|rejected) (\d+ \d+)$/.exec(line) ?? [];
      outcomes.push([id, outcome]);
    }
  }
  const stored = new Set((await database.all(STORED)).map(({ id }) => id));
  for (const [id, outcome] of outcomes)
    assert.equal(stored.has(id), outcome === 'stored', `${outcome} ${id}`);
  const commits = countCommits(join(dataDir, SQLITE_FILE));
  context.diagnostic(`${outcomes.length} outcomes, ${stored.size} rows in ${commits} commits`);
  assert.ok(commits < stored.size / 2, 'transactions have shared commits');
});
