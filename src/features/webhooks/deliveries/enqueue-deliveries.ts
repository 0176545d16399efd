/** Stores deliveries with their jobs. */
import type { Database, Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import type { EventType } from '../../events/event-types.ts';
import type { ThinEventRow } from '../../events/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { ChainPosition } from '../../events/verify/verify-chain.ts';
import { lockRecord } from '../../records/change-record.ts';
import { listEndpoints, webhookStore } from '../queries.ts';
import { formatEndpointSubject } from '../rules.ts';
import { type EndpointRow, LIFETIME_MS, MAX_PENDING } from '../webhook.ts';
import * as queries from './queries.ts';

export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly created_at: number;
  /** Null for a test. */
  readonly number: number | null;
  /** Is sent with the number of `events.head`. */
  readonly headDigest?: string;
}

/** Stores one delivery of each of at most 500 events, and returns their ids. */
export async function enqueueDeliveries(
  tx: Tx,
  { endpointId, now }: { endpointId: string; now: number },
  events: readonly DeliveredEvent[],
): Promise<string[]> {
  const deliveries = events.map(
    (event): queries.NewDelivery => ({
      id: newId(),
      endpoint_id: endpointId,
      event_number: event.number,
      event_id: event.id,
      type: event.type,
      subject: event.subject,
      sequence: event.sequence,
      digest: event.headDigest ?? null,
      occurred_at: event.created_at,
      created_at: now,
    }),
  );
  await queries.insertDeliveries(tx, deliveries);
  await queries.insertJobs(tx, deliveries, now, now + LIFETIME_MS);
  return deliveries.map(({ id }) => id);
}

/** Makes at most 500 finished deliveries pending again, with all attempts of new ones. */
export async function enqueueAllAgain(
  tx: Tx,
  deliveries: readonly Pick<queries.DeliveryRow, 'id' | 'endpoint_id'>[],
  now: number,
): Promise<void> {
  await queries.reopenDeliveries(tx, deliveries);
  await queries.insertJobs(tx, deliveries, now, now + LIFETIME_MS);
}

/** Returns the events of the types that the endpoint receives, except its creation and those that were removed. */
export function selectEvents(
  events: readonly ThinEventRow[],
  { id, types }: Pick<EndpointRow, 'id' | 'types'>,
): DeliveredEvent[] {
  const wanted: readonly string[] | null = types === null ? null : JSON.parse(types);
  const isOwnCreation = ({ type, subject }: ThinEventRow) =>
    type === 'webhook.created' && subject === formatEndpointSubject(id);
  return events
    .filter((event): event is ThinEventRow & { readonly type: EventType } => event.type !== null)
    .filter((event) => (wanted === null || wanted.includes(event.type)) && !isOwnCreation(event));
}

/** Returns an endpoint that is enabled, locked. @throws Problem webhook_not_found, webhook_disabled */
export async function lockEnabled(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockRecord(tx, webhookStore, id);
  if (endpoint.enabled !== 1) throw new Problem('webhook_disabled');
  return endpoint;
}

/** @throws Problem too_many_deliveries if so many more would exceed the maximum of a locked endpoint */
export async function checkRoom(tx: Tx, endpointId: string, added: number): Promise<void> {
  if (added === 0) return;
  const isFull = added > MAX_PENDING || (await queries.hasPending(tx, endpointId, MAX_PENDING - added + 1));
  if (isFull) throw new Problem('too_many_deliveries');
}

const TYPE = 'events.head';

/** Makes a delivery for each enabled endpoint whose types name it: it is no event of the record. */
export async function sendHead(database: Database, head: ChainPosition, now: number): Promise<void> {
  const endpoints = (await listEndpoints(database)).filter(
    ({ enabled, types }) => enabled === 1 && types !== null && JSON.parse(types).includes(TYPE),
  );
  const message = { type: TYPE, subject: null, sequence: null, created_at: now } as const;
  const { number, digest: headDigest } = head;
  for (const { id: endpointId } of endpoints)
    await database.transaction((tx) =>
      enqueueDeliveries(tx, { endpointId, now }, [{ ...message, id: newId(), number, headDigest }]),
    );
}

/** Is in no list of types: a test is delivered to every endpoint that it is requested for. */
const TEST_TYPE = 'webhook.test';

/** Returns the id of the delivery. @throws Problem webhook_not_found, webhook_disabled, too_many_deliveries */
export async function sendTest({ clock }: { readonly clock: Clock }, tx: Tx, id: string): Promise<string> {
  const { id: endpointId } = await lockEnabled(tx, id);
  await checkRoom(tx, endpointId, 1);
  const now = clock();
  const event = { id: newId(), type: TEST_TYPE, subject: formatEndpointSubject(endpointId), sequence: null };
  const [delivery] = await enqueueDeliveries(tx, { endpointId, now }, [
    { ...event, created_at: now, number: null },
  ]);
  const details = { delivery_id: delivery! };
  await recordEvent(tx, { type: 'webhook.tested', subject: event.subject, details, now });
  return delivery!;
}
