/** Writes collected activity to the database: in transactions of at most 500 rows, with other work between them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, type Tx } from '../../database/database.ts';
import { inBatches } from '../../database/rows.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { recordActiveUsers } from './active-users/active-users.ts';
import type { PendingActivity } from './pending-activity.ts';
import { addFailedLogins, touchCredentials, updateLastUseOfTokens } from './queries.ts';

/** A part of the activity that one transaction writes. */
interface Batch {
  readonly write: (tx: Tx) => Promise<unknown>;
  /** Removes it from the activity. */
  readonly remove: () => void;
  /** Moves it behind the rest, so that a batch that fails again does not hinder others. */
  readonly moveBack: () => void;
}

/**
 * Writes the activity, and removes each part of it that is written: after a failure, `pending` contains the rest.
 * @throws the first error of a batch, after the other batches; DatabaseUnavailable at once
 */
export async function writeActivity(database: Database, pending: PendingActivity): Promise<void> {
  const errors: unknown[] = [];
  for (const { write, remove, moveBack } of toBatches(pending)) {
    try {
      await database.transaction(write);
      remove();
    } catch (error) {
      moveBack();
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
    ...inBatches([...failures]).map((batch) => mapBatch(failures, batch.sort(byNumber), addFailedLogins)),
    ...inBatches([...tokens]).map((batch) => mapBatch(tokens, batch.sort(byText), updateLastUseOfTokens)),
    ...inBatches([...credentials]).map((batch) =>
      mapBatch(credentials, batch.sort(byText), touchCredentials),
    ),
    ...[...Map.groupBy(activeUsers, ([, hour]) => hour)].flatMap(([hour, entries]) =>
      inBatches(entries).map((batch) =>
        mapBatch(activeUsers, batch.sort(byText), (tx, rows) =>
          recordActiveUsers(tx, hour * HOUR, rows.map(parseUserId)),
        ),
      ),
    ),
  ];
}

/** Sorted, so that two nodes that write the same rows cannot deadlock. */
const byNumber = ([a]: [number, number], [b]: [number, number]) => a - b;
const byText = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

function mapBatch<Key, Entry>(
  pending: Map<Key, Entry>,
  entries: [Key, Entry][],
  write: (tx: Tx, entries: readonly [Key, Entry][]) => Promise<unknown>,
): Batch {
  const remove = () => {
    for (const [key] of entries) pending.delete(key);
  };
  const moveBack = () => {
    remove();
    for (const [key, value] of entries) pending.set(key, value);
  };
  return { write: (tx) => write(tx, entries), remove, moveBack };
}

/** Returns the user of an entry of the active users. */
function parseUserId([key]: [string, number]): string {
  return key.slice(key.indexOf(':') + 1);
}
