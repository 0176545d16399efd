/** Writes collected activity to the database: in transactions of at most 500 rows, with other work between them. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, type Tx } from '../../database/database.ts';
import { inBatches } from '../../database/rows.ts';
import { DAY } from '../../lib/time.ts';
import { recordActiveUsers } from './active-users/active-users.ts';
import type { PendingActivity } from './pending-activity.ts';
import { addFailedLogins, touchCredentials, updateLastUseOfTokens } from './queries.ts';

/** A part of the activity that one transaction writes. */
interface Batch {
  readonly pending: Map<unknown, unknown>;
  readonly entries: readonly [unknown, unknown][];
  readonly write: (tx: Tx) => Promise<unknown>;
}

/**
 * Writes the activity, and removes each part of it that is written: after a failure, `pending` contains the rest.
 * @throws the first error of a batch, after the other batches; DatabaseUnavailable at once
 */
export async function writeActivity(database: Database, pending: PendingActivity): Promise<void> {
  const errors: unknown[] = [];
  for (const { pending: all, entries, write } of toBatches(pending)) {
    try {
      await database.transaction(write, { isLong: true });
      for (const [key] of entries) all.delete(key);
    } catch (error) {
      // Behind the rest, so that a batch that fails again does not hinder others.
      for (const [key, value] of entries) {
        all.delete(key);
        all.set(key, value);
      }
      if (error instanceof DatabaseUnavailable) throw error;
      errors.push(error);
    }
    // Transactions on SQLite are synchronous and would block the event loop one after the other.
    await nextTurn();
  }
  if (errors.length > 0) throw errors[0];
}

function toBatches({ failures, tokens, credentials, activeUsers }: PendingActivity): Batch[] {
  return [
    ...toBatchesOf(failures, failures, addFailedLogins),
    ...toBatchesOf(tokens, tokens, updateLastUseOfTokens),
    ...toBatchesOf(credentials, credentials, touchCredentials),
    ...[...Map.groupBy(activeUsers, ([, day]) => day)].flatMap(([day, entries]) =>
      toBatchesOf(activeUsers, entries, (tx, rows) =>
        recordActiveUsers(tx, day * DAY, rows.map(parseUserId)),
      ),
    ),
  ];
}

/** Each batch is sorted, so that two nodes that write the same rows cannot deadlock. */
function toBatchesOf<Key extends string | number, Entry>(
  pending: Map<Key, Entry>,
  entries: Iterable<[Key, Entry]>,
  write: (tx: Tx, entries: readonly [Key, Entry][]) => Promise<unknown>,
): Batch[] {
  return inBatches([...entries]).map((batch) => {
    const sorted = batch.sort(([a], [b]) => (a < b ? -1 : 1));
    return { pending: pending as Map<unknown, unknown>, entries: sorted, write: (tx) => write(tx, sorted) };
  });
}

/** Returns the user of an entry of the active users. */
function parseUserId([key]: [string, number]): string {
  return key.slice(key.indexOf(':') + 1);
}
