/** Records one event for counted occurrences. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { omitErased } from '../omit-erased.ts';
import { hasUser, insertEvents, type NewEventRow } from '../queries.ts';
import { type CountRow, takeDueCounts } from './queries.ts';

/** Records occurrences that were counted about a minute ago: one event for each of at most `limit` causes. */
export async function recordCounts(tx: Tx, now: number, limit: number): Promise<void> {
  // Without locks, which erasures hold while they delete counts: they look at the events after that.
  for (const count of await takeDueCounts(tx, now, limit))
    await insertEvents(tx, [await omitErased(tx, createRow(count, now), hasUser)]);
}

const FAILURES: readonly string[] = ['login.failed', 'credential.rejected', 'access.denied'];

function createRow(count: CountRow, now: number): NewEventRow {
  const { occurrences, first_at, last_at, ...content } = count;
  const outcome = FAILURES.includes(content.type) ? 'failure' : 'success';
  const data = JSON.stringify({ occurrences, first_at, last_at });
  return { id: newId(), created_at: now, ...content, outcome, data, device: null };
}
