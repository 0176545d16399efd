import { type Reader, sql, type Tx } from '../../../database/database.ts';

/** An endpoint for which there are events, or a replay that has not ended. */
export interface BehindEndpoint {
  readonly id: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  /** Number of the next event. */
  readonly next_number: number;
  /** The next and the last number of a replay; null without one. */
  readonly replay_next_number: number | null;
  readonly replay_last_number: number | null;
  /** Times between which the events of the replay have happened, in epoch milliseconds. */
  readonly replay_from: number | null;
  readonly replay_to: number | null;
}

const FIND_BEHIND = sql<BehindEndpoint>(`
  select id, types, next_number, replay_next_number, replay_last_number, replay_from, replay_to
  from webhook_endpoints
  where enabled = 1
    and (next_number <= (select number from event_chain where id = 1) or replay_next_number is not null)
  order by id`);

export function findBehindEndpoints(reader: Reader): Promise<BehindEndpoint[]> {
  return reader.all(FIND_BEHIND);
}

const ADVANCE = sql(
  'update webhook_endpoints set next_number = $3 where id = $1 and next_number = $2 and enabled = 1',
);
const ADVANCE_REPLAY = sql(
  'update webhook_endpoints set replay_next_number = $3 where id = $1 and replay_next_number = $2 and enabled = 1',
);

/** Numbers of the next event before and after a step. */
export interface Advance {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Returns false if another node has made the step, or nothing is to be delivered any more. */
export async function advance(tx: Tx, { id, from, to }: Advance): Promise<boolean> {
  return (await tx.run(ADVANCE, id, from, to)) === 1;
}

/** Like `advance`, for a replay: null ends it. */
export async function advanceReplay(
  tx: Tx,
  { id, from, to }: Omit<Advance, 'to'> & { readonly to: number | null },
): Promise<boolean> {
  return (await tx.run(ADVANCE_REPLAY, id, from, to)) === 1;
}

const NTH_OF_STATE = sql<{ id: string }>(`
  select id from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 1 offset $3`);

/** Returns the id of the delivery in that state before which `offset` newer ones are; undefined if there are fewer. */
async function findOlderThan(reader: Reader, id: string, search: { state: string; offset: number }) {
  return (await reader.get(NTH_OF_STATE, id, search.state, search.offset))?.id;
}

export async function hasPending(reader: Reader, id: string, count: number): Promise<boolean> {
  return (await findOlderThan(reader, id, { state: 'pending', offset: count - 1 })) !== undefined;
}

const DELETE_DELIVERED = sql(`
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where endpoint_id = $1 and state = 'delivered' and id <= $2 order by id limit $3)`);

/** Deletes delivered ones beyond the newest `kept`, at most `limit`; returns their number. */
export async function trimDelivered(
  tx: Tx,
  id: string,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<number> {
  const last = await findOlderThan(tx, id, { state: 'delivered', offset: kept });
  return last === undefined ? 0 : tx.run(DELETE_DELIVERED, id, last, limit);
}
