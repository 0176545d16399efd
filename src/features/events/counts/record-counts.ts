/** Makes events of what was only counted. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { insertEvent, type NewEventRow } from '../queries.ts';
import { type CountRow, takeEndedCounts } from './queries.ts';

/**
 * Records what was only counted in hours that have ended: one event for each cause, of at most `limit` causes.
 */
export async function recordCounts(tx: Tx, now: number, limit: number): Promise<void> {
  const ended = await takeEndedCounts(tx, now, limit);
  for (const count of ended) {
    const recorded = EVENT_TYPES[count.type].perHour ?? 0;
    if (count.occurrences > recorded) await insertEvent(tx, createRow(count, recorded, now));
  }
}

function createRow(count: CountRow, recorded: number, now: number): NewEventRow {
  const { type, subject, actor, actor_id, reason, network, occurrences, first_at, last_at } = count;
  const outcome = type === 'login.failed' ? 'failure' : 'success';
  const data = JSON.stringify({ occurrences: occurrences - recorded, first_at, last_at });
  const content = { type, subject, actor, actor_id, reason, network };
  return { id: newId(), created_at: now, ...content, outcome, data, device: null };
}
