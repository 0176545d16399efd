/** Lists deliveries of an endpoint with their attempts. */
import type { Reader } from '../../../database/database.ts';
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import { type Page, type PageStart, toPage } from '../../../lib/routes/pagination.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { formatTimes } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { getRecord } from '../../records/change-record.ts';
import { countMissed, countPending, countRecent } from '../delivery/queries.ts';
import { buildBody, rebuildRequest } from '../delivery/sign-message.ts';
import { webhookStore } from '../queries.ts';
import type { EndpointRow } from '../webhook.ts';
import * as queries from './queries.ts';

export interface DeliveryWithAttempts extends queries.DeliveryRow {
  readonly history: readonly queries.AttemptSummary[];
  /** Null if none follows. */
  readonly next_attempt_at: number | null;
}

const AFTER_ALL_IDS = '~';

/** Conditions of the list. `state`: null for all. */
type DeliveryFilter = Pick<queries.DeliveryPageRequest, 'endpointId' | 'state'>;

/** Returns a page after the delivery with the id `after`. @throws Problem webhook_not_found */
export async function listDeliveries(
  reader: Reader,
  { endpointId, state }: DeliveryFilter,
  { after, limit }: PageStart<string>,
): Promise<Page<DeliveryWithAttempts, string>> {
  await getRecord(reader, webhookStore, endpointId);
  const found = await queries.readDeliveries(reader, {
    endpointId,
    state,
    before: after ?? AFTER_ALL_IDS,
    limit: limit + 1,
  });
  const { rows, next } = toPage(found, limit, ({ id }) => id);
  return { rows: await addAttempts(reader, rows), next };
}

/** Adds their attempts and the time of the next one to at most 500 deliveries. */
export async function addAttempts(
  reader: Reader,
  rows: readonly queries.DeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await queries.readAttempts(reader, ids), ({ delivery_id }) => delivery_id);
  const schedule = await queries.readSchedule(reader, ids);
  return rows.map((row) => ({
    ...row,
    history: attempts.get(row.id) ?? [],
    next_attempt_at: schedule.get(row.id) ?? null,
  }));
}

/** @throws Problem webhook_not_found, webhook_delivery_not_found */
export async function readDelivery(reader: Reader, endpointId: string, id: string) {
  await getRecord(reader, webhookStore, endpointId);
  const row = isId(id) ? await queries.findDelivery(reader, id) : undefined;
  if (row?.endpoint_id !== endpointId) throw new Problem('webhook_delivery_not_found');
  const [delivery] = await addAttempts(reader, [row]);
  return deliveryDetailView(delivery!, await queries.readFullAttempts(reader, id));
}

/** Returns a delivery as the API shows it. */
export function deliveryView({ history, ...delivery }: DeliveryWithAttempts) {
  return {
    ...formatTimes(delivery, ['occurred_at', 'created_at', 'finished_at', 'next_attempt_at']),
    attempts: history.map((attempt) => formatTimes(attempt, ['at'])),
  };
}

function deliveryDetailView(delivery: DeliveryWithAttempts, attempts: readonly queries.AttemptRow[]) {
  return {
    ...deliveryView(delivery),
    body: buildBody(delivery),
    exchanges: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      request: rebuildRequest(delivery, attempt),
      response: attempt.response === null ? null : JSON.parse(attempt.response),
    })),
  };
}

/** Returns the response to a request whose effect follows. */
export function acceptedResponse(message: string, data: object): CreatedResponse {
  return { status: 202, headers: {}, body: { message, data }, createdResources: {} };
}

/** Reads how the deliveries of an endpoint go. */
export async function readHealth(reader: Reader, { id, failing_since }: EndpointRow, now: number) {
  const recent = await countRecent(reader, id, now);
  const { pending, attempted } = await countPending(reader, id);
  const missed =
    failing_since === null ? 0 : await countMissed(reader, { endpointId: id, since: failing_since });
  return { recent, pending, undelivered: failing_since === null ? 0 : missed + attempted };
}
