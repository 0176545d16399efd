import type { Reader } from '../../../database/database.ts';
import { prepareAll, prepareGet, prepareValue } from '../../../database/prepare.ts';
import { firstIdAt } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time.ts';
import { LIFETIME_MS, MAX_PENDING } from '../deliveries/enqueue-deliveries.ts';
import { DELIVERY_STATES, type DeliveryState } from '../deliveries/queries.ts';

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
