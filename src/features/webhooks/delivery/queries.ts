import type { Reader } from '../../../database/database.ts';
import {
  prepareAll,
  prepareForRows,
  prepareGet,
  prepareRun,
  prepareValue,
} from '../../../database/prepare.ts';
import { firstIdAt } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time.ts';
import type { Job } from '../../jobs/queries.ts';
import type { DeliveredEvent } from '../deliveries/enqueue-deliveries.ts';
import { DELIVERY_STATES, type DeliveryState } from '../deliveries/queries.ts';
import { LIFETIME_MS, MAX_PENDING } from '../webhook.ts';

export interface WebhookJob extends Job {
  readonly endpoint_id: string;
  readonly expires_at: number;
}

/**
 * Returns jobs of one endpoint whose next attempt is due, expired ones among them, without those that a node runs now.
 * For each endpoint separately, so that one with many due jobs does not hide those of others.
 */
export const findDueOfEndpoint = prepareAll<WebhookJob, { endpointId: string; now: number; limit: number }>(`
  select id, attempts, endpoint_id, expires_at from jobs
  where endpoint_id = $endpointId and next_attempt_at <= $now order by next_attempt_at, id limit $limit`);

interface MissedSearch {
  readonly endpointId: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

const MISSED = `from webhook_deliveries
  where endpoint_id = $endpointId and state = 'failed' and id >= $first and finished_at >= $since
  order by id limit ${MAX_PENDING + 1}`;
const readMissed = prepareAll<
  { readonly id: string; readonly endpoint_id: string },
  MissedSearch & { first: string }
>(`select id, endpoint_id ${MISSED}`);
const count = prepareValue<number, MissedSearch & { first: string }>(
  `select count(*) as missed from (select id ${MISSED}) as failed`,
);
const addFirst = (search: MissedSearch) => ({ ...search, first: firstIdAt(search.since - LIFETIME_MS) });

/** Returns the deliveries that have failed for good since a time, oldest first. */
export const findMissed = (reader: Reader, search: MissedSearch) => readMissed(reader, addFirst(search));

/** Counts them without reading them. */
export const countMissed = (reader: Reader, search: MissedSearch) => count(reader, addFirst(search));

const MAX_RECENT = 100;

const sumState = (state: DeliveryState) =>
  `coalesce(sum(case when state = '${state}' then 1 else 0 end), 0) as ${state}`;

const getRecent = prepareGet<Readonly<Record<DeliveryState, number>>, [endpointId: string, since: number]>(`
  select ${DELIVERY_STATES.map(sumState)} from (
    select state, created_at from webhook_deliveries where endpoint_id = $1 order by id desc limit ${MAX_RECENT}
  ) as newest where created_at >= $2`);

/** Counts the last deliveries of an endpoint by state: those of 24 hours, at most 100. */
export async function countRecent(reader: Reader, endpointId: string, now: number) {
  return (await getRecent(reader, endpointId, now - DAY))!;
}

const getPending = prepareGet<
  { readonly pending: number; readonly attempted: number },
  { endpointId: string; state: DeliveryState }
>(`
  select count(*) as pending, coalesce(sum(case when attempts > 0 then 1 else 0 end), 0) as attempted from (
    select attempts from webhook_deliveries where endpoint_id = $endpointId and state = $state
    order by id desc limit ${MAX_PENDING}
  ) as waiting`);

/** Counts the pending deliveries of an endpoint, and those among them that were attempted. */
export async function countPending(reader: Reader, endpointId: string) {
  return (await getPending(reader, { endpointId, state: 'pending' }))!;
}

const EVENTS = prepareForRows<DeliveredEvent>(
  { id: 'text' },
  `select events.id, events.type, events.subject, events.sequence, events.created_at, events.number
    from given cross join events
    where events.id = given.id and events.number is not null and events.type is not null`,
);

/** Makes the jobs of an endpoint due that wait for another attempt; returns their number. */
export const attemptAllNow = prepareRun<[endpointId: string, now: number]>(`
  update jobs set next_attempt_at = $2
  where endpoint_id = $1 and next_attempt_at > $2 and leased_until is null`);

/** Returns those of at most 500 events that are numbered and were not removed, in their order. */
export async function readEventsById(reader: Reader, ids: readonly string[]): Promise<DeliveredEvent[]> {
  return (await EVENTS.all(reader, ids)).sort((a, b) => a.number! - b.number!);
}
