/** Lists deliveries of an endpoint with their attempts. */
import type { Database, Reader } from '../../../database/database.ts';
import type { Pagination } from '../../../lib/routes/pagination.ts';
import type { Query } from '../../../lib/routes/query.ts';
import { Problem } from '../../../problems/problem.ts';
import { findEndpoint } from '../queries.ts';
import {
  type AttemptRow,
  DELIVERY_STATES,
  type DeliveryRow,
  type DeliveryState,
  readAttempts,
  readDeliveries,
  readSchedule,
} from './queries.ts';

export interface DeliveryWithAttempts extends DeliveryRow {
  readonly history: readonly AttemptRow[];
  /** Null if none follows. */
  readonly next_attempt_at: number | null;
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryWithAttempts[];
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly limit: number;
  readonly state: DeliveryState | null;
}

export interface ListDeliveriesDeps {
  readonly database: Database;
  readonly pagination: Pagination;
}

/** @throws Problem webhook_not_found, invalid_filter, invalid_limit, invalid_cursor */
export async function listDeliveries(
  { database, pagination }: ListDeliveriesDeps,
  endpointId: string,
  query: Query,
): Promise<DeliveryPage> {
  const state = readState(query.state);
  const scope = `deliveries:${endpointId}:${state ?? ''}`;
  const { limit, after: before } = pagination.read(query, scope);
  if ((await findEndpoint(database, endpointId)) === undefined) throw new Problem('webhook_not_found');
  // One more than the page holds tells whether there is a next page.
  const found = await readDeliveries(database, { endpointId, state, before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const nextCursor = found.length > limit ? pagination.cursor(rows.at(-1)!.id, scope) : null;
  const deliveries = await addAttempts(database, rows);
  return { deliveries, nextCursor, isFirst: before === null, limit, state };
}

function readState(given: string | string[] | undefined): DeliveryState | null {
  if (given === undefined) return null;
  const state = DELIVERY_STATES.find((each) => each === given);
  if (state === undefined) throw new Problem('invalid_filter');
  return state;
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
