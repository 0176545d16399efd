import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { findOlderThan } from '../deliveries/queries.ts';

/** An endpoint for which there are events. */
export interface BehindEndpoint {
  readonly id: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  /** Number of the next event. */
  readonly next_number: number;
}

const FIND_BEHIND = sql<BehindEndpoint>(`
  select id, types, next_number from webhook_endpoints
  where enabled = 1 and next_number <= (select number from event_chain where id = 1)
  order by id`);

export function findBehindEndpoints(reader: Reader): Promise<BehindEndpoint[]> {
  return reader.all(FIND_BEHIND);
}

const ADVANCE = sql(
  'update webhook_endpoints set next_number = $3 where id = $1 and next_number = $2 and enabled = 1',
);

/**
 * Moves the number of the next event. Returns false if another node has done so, or nothing is to be delivered any
 * more.
 */
export async function advance(
  tx: Tx,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<boolean> {
  return (await tx.run(ADVANCE, id, from, to)) === 1;
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
