/** Makes events of what was only counted. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { insertEvent, type NewEventRow } from '../queries.ts';
import { type CountRow, takeDueCounts } from './queries.ts';

/** Records what was only counted until about a minute ago: one event for each of at most `limit` causes. */
export async function recordCounts(tx: Tx, now: number, limit: number): Promise<void> {
  for (const count of await takeDueCounts(tx, now, limit)) await insertEvent(tx, createRow(count, now));
}

function createRow(count: CountRow, now: number): NewEventRow {
  const { occurrences, first_at, last_at, ...content } = count;
  const outcome = content.type === 'login.failed' ? 'failure' : 'success';
  const data = JSON.stringify({ occurrences, first_at, last_at });
  return { id: newId(), created_at: now, ...content, outcome, data, device: null };
}
