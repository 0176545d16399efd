import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBeforeMigration } from '../../../test/support/database.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { acceptEarlierEvents } from '../../features/events/chain/accept-events.ts';
import { createMark, withMarks } from '../../features/events/chain/chain.ts';
import { numberAllEvents } from '../../features/events/numbering/number-events.ts';
import { takeDueCounts } from '../../features/events/numbering/queries.ts';
import { recordEvent } from '../../features/events/record-event.ts';
import { verifyChain } from '../../features/events/verify/verify-chain.ts';
import { sql } from '../database.ts';
import { migrate } from '../migrate.ts';

const KEY = 'secret-key-of-the-tests-of-migrations';

describeOnEachEngine('the migration to marks of events', (engine) => {
  test('events of an earlier release are accepted without marks, and counts of its last hour become events', async (context) => {
    const opened = await openBeforeMigration(context, engine, 30);
    await opened.transaction(async (tx) => {
      for (const id of ['one', 'two'])
        await tx.run(
          sql(
            "insert into events (id, created_at, type, actor, outcome, data) values ($1, 1, 'user.created', 'system', 'success', '{}')",
          ),
          id,
        );
      for (const [key, count] of [
        ['many', 25],
        ['few', 3],
      ] as const)
        await tx.run(
          sql(
            "insert into event_counts (hour, count_key, type, actor, occurrences, first_at, last_at) values (0, $1, 'login.succeeded', 'user', $2, 1, 2)",
          ),
          key,
          count,
        );
    });
    await migrate(opened);
    const database = withMarks(opened, () => KEY);
    await acceptEarlierEvents(database);
    const due = await database.transaction((tx) => takeDueCounts(tx, 2, 10));
    assert.deepEqual(
      due.map(({ occurrences }) => occurrences),
      [5],
    );
    await database.transaction((tx) => recordEvent(tx, { type: 'user.created', userId: 'ada', now: 3 }));
    await numberAllEvents(database);
    const findings: unknown[] = [];
    const options = { after: null, noted: null, mark: createMark(KEY), before: 0 };
    const verified = await verifyChain(database, options, (...finding) => findings.push(finding));
    assert.equal(verified?.count, 3);
    assert.deepEqual(findings, [['unmarked', 1, 2]]);
  });
});
