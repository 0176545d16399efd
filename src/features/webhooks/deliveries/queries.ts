import type { Reader, Tx } from '../../../database/database.ts';
import { prepareAll, prepareForRows, prepareGet, prepareRun } from '../../../database/prepare.ts';
import { ORDINARY } from '../../jobs/queries.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
/** `failed`: all attempts have failed, or none was possible until the delivery expired. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event for an endpoint. Contains no personal data. Times in epoch milliseconds. */
export interface NewDelivery {
  readonly id: string;
  readonly endpoint_id: string;
  /** Null for a test, as are the subject and the sequence of some events. */
  readonly event_number: number | null;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  /** Digest of the head of the record, for `events.head` only. */
  readonly digest: string | null;
  readonly occurred_at: number;
  readonly created_at: number;
}

export interface DeliveryRow extends NewDelivery {
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Null while it is pending. */
  readonly finished_at: number | null;
}

const COLUMNS = {
  id: 'text',
  endpoint_id: 'text',
  event_number: 'bigint',
  event_id: 'text',
  type: 'text',
  subject: 'text',
  sequence: 'bigint',
  digest: 'text',
  occurred_at: 'bigint',
  created_at: 'bigint',
} as const;
const NAMES = Object.keys(COLUMNS);

export const { run: insertDeliveries } = prepareForRows<never, NewDelivery>(
  COLUMNS,
  `insert into webhook_deliveries (${NAMES}, state, attempts)
    select ${NAMES}, 'pending', 0 from given where true`,
);

/** Queues deliveries. Their jobs have their ids. */
export const { run: insertJobs } = prepareForRows<
  never,
  Pick<NewDelivery, 'id' | 'endpoint_id'>,
  [now: number, expiresAt: number]
>(
  { id: 'text', endpoint_id: 'text' },
  `insert into jobs (id, queue, endpoint_id, priority, attempts, next_attempt_at, created_at, expires_at)
    select id, 'webhook', endpoint_id, ${ORDINARY}, 0, cast($1 as bigint), cast($1 as bigint), cast($2 as bigint)
    from given where true`,
  2,
);

const ALL_COLUMNS = `${NAMES}, state, attempts, finished_at`;

export const findDelivery = prepareGet<DeliveryRow, [id: string]>(
  `select ${ALL_COLUMNS} from webhook_deliveries where id = $1`,
);

/** Returns a delivery of an endpoint, which no other transaction changes until the end of this one. */
export const lockDelivery = prepareGet<DeliveryRow, [id: string, endpointId: string], Tx>(
  `update webhook_deliveries set state = state where id = $1 and endpoint_id = $2 returning ${ALL_COLUMNS}`,
);

/** Makes finished deliveries pending. */
export const { run: reopenDeliveries } = prepareForRows<never, Pick<NewDelivery, 'id'>>(
  { id: 'text' },
  "update webhook_deliveries set state = 'pending', finished_at = null where id in (select id from given)",
);

/** Counts an attempt, and sets what is not null. Returns undefined if the delivery is deleted. */
export const countAttempt = prepareGet<
  { readonly attempts: number },
  { id: string; state: DeliveryState | null; finishedAt: number | null },
  Tx
>(`
  update webhook_deliveries
  set attempts = attempts + 1, state = coalesce($state, state), finished_at = coalesce($finishedAt, finished_at)
  where id = $id returning attempts`);

export interface AttemptRow extends AttemptSummary {
  /** JSON of `SentRequest`, and of the kept response. Null if nothing was sent or received, or it is not known. */
  readonly request: string | null;
  readonly response: string | null;
}

/** An attempt without the request and the response. */
export interface AttemptSummary {
  readonly delivery_id: string;
  /** Beginning with 1. */
  readonly attempt: number;
  readonly at: number;
  readonly duration_ms: number;
  /** Null without a response. */
  readonly status: number | null;
  /** Why there was no complete response; null if there was one. */
  readonly error: string | null;
  /** The first line of the response. */
  readonly line: string | null;
}

export const insertAttempt = prepareRun<AttemptRow>(`
  insert into webhook_attempts (delivery_id, attempt, at, duration_ms, status, error, line, request, response)
  values ($delivery_id, $attempt, $at, $duration_ms, $status, $error, $line, $request, $response)`);

export const finishDelivery = prepareRun<{ id: string; state: DeliveryState; now: number }>(
  'update webhook_deliveries set state = $state, finished_at = $now where id = $id',
);

/** Returns the delivery in that state before which `offset` newer ones are; undefined if there are fewer. */
export const findOlderThan = prepareGet<
  { readonly id: string },
  { endpointId: string; state: DeliveryState; offset: number }
>(`
  select id from webhook_deliveries where endpoint_id = $endpointId and state = $state
  order by id desc limit 1 offset $offset`);

/** Whether `count` deliveries of an endpoint are pending, or more. */
export async function hasPending(reader: Reader, endpointId: string, count: number): Promise<boolean> {
  return (await findOlderThan(reader, { endpointId, state: 'pending', offset: count - 1 })) !== undefined;
}

const preparePage = (condition: string) =>
  prepareAll<DeliveryRow, DeliveryPageRequest>(`
    select ${ALL_COLUMNS} from webhook_deliveries
    where endpoint_id = $endpointId ${condition} and id < $before order by id desc limit $limit`);
const readAll = preparePage('');
const readOfState = preparePage('and state = $state');

export interface DeliveryPageRequest {
  readonly endpointId: string;
  /** Null for all. */
  readonly state: DeliveryState | null;
  /** The id before which the page begins, or a text after all ids. */
  readonly before: string;
  readonly limit: number;
}

/** Returns deliveries of an endpoint, the newest first. */
export function readDeliveries(reader: Reader, request: DeliveryPageRequest): Promise<DeliveryRow[]> {
  return (request.state === null ? readAll : readOfState)(reader, request);
}

/** Returns the attempts of a delivery with the requests and the responses, oldest first. */
export const readFullAttempts = prepareAll<AttemptRow, [deliveryId: string]>(`
  select delivery_id, attempt, at, duration_ms, status, error, line, request, response
  from webhook_attempts where delivery_id = $1 order by attempt`);

const ATTEMPTS = prepareForRows<AttemptSummary>(
  { id: 'text' },
  `select delivery_id, attempt, at, duration_ms, status, error, line
    from given cross join webhook_attempts where webhook_attempts.delivery_id = given.id`,
);

/** Returns the attempts of at most 500 deliveries, oldest first. */
export async function readAttempts(reader: Reader, ids: readonly string[]): Promise<AttemptSummary[]> {
  return (await ATTEMPTS.all(reader, ids)).sort((a, b) => a.attempt - b.attempt);
}

const SCHEDULE = prepareForRows<{ id: string; next_attempt_at: number }>(
  { id: 'text' },
  `select jobs.id, jobs.next_attempt_at from given cross join jobs where jobs.id = given.id`,
);

/** Returns the times of the next attempts of at most 500 deliveries, of those that are pending. */
export async function readSchedule(reader: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await SCHEDULE.all(reader, ids);
  return new Map(rows.map(({ id, next_attempt_at }) => [id, next_attempt_at]));
}
