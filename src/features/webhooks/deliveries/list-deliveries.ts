/** Lists deliveries of an endpoint with their attempts. */
import type { Reader } from '../../../database/database.ts';
import type { Page, PageStart } from '../../../lib/routes/pagination.ts';
import { Problem } from '../../../problems/problem.ts';
import { findEndpoint } from '../queries.ts';
import {
  type AttemptSummary,
  type DeliveryPageRequest,
  type DeliveryRow,
  readAttempts,
  readDeliveries,
  readSchedule,
} from './queries.ts';

export interface DeliveryWithAttempts extends DeliveryRow {
  readonly history: readonly AttemptSummary[];
  /** Null if none follows. */
  readonly next_attempt_at: number | null;
}

const AFTER_ALL_IDS = '~';

/** Conditions of the list. `state`: null for all. */
export type DeliveryFilter = Pick<DeliveryPageRequest, 'endpointId' | 'state'>;

/** Returns a page after the delivery with the id `after`. @throws Problem webhook_not_found */
export async function listDeliveries(
  reader: Reader,
  { endpointId, state }: DeliveryFilter,
  { after, limit }: PageStart<string>,
): Promise<Page<DeliveryWithAttempts, string>> {
  if ((await findEndpoint(reader, endpointId)) === undefined) throw new Problem('webhook_not_found');
  // One more than the page holds tells whether there is a next page.
  const found = await readDeliveries(reader, {
    endpointId,
    state,
    before: after ?? AFTER_ALL_IDS,
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const next = found.length > limit ? rows.at(-1)!.id : null;
  return { rows: await addAttempts(reader, rows), next };
}

/** Adds their attempts and the time of the next one to at most 500 deliveries. */
export async function addAttempts(
  reader: Reader,
  rows: readonly DeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await readAttempts(reader, ids), ({ delivery_id }) => delivery_id);
  const schedule = await readSchedule(reader, ids);
  return rows.map((row) => ({
    ...row,
    history: attempts.get(row.id) ?? [],
    next_attempt_at: schedule.get(row.id) ?? null,
  }));
}
