import type { Tx } from '../../../database/database.ts';
import { prepareAll, prepareChange, prepareRun } from '../../../database/prepare.ts';
import { findOlderThan } from '../deliveries/queries.ts';

/** An endpoint for which there are events. */
export interface BehindEndpoint {
  readonly id: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  /** Number of the next event. */
  readonly next_number: number;
}

export const findBehindEndpoints = prepareAll<BehindEndpoint>(`
  select id, types, next_number from webhook_endpoints
  where enabled = 1 and next_number <= (select number from event_chain where id = 1)
  order by id`);

/**
 * Moves the number of the next event. Returns false if another node has done so, or nothing is to be delivered any
 * more.
 */
export const advance = prepareChange<{ id: string; from: number; to: number }>(
  'update webhook_endpoints set next_number = $to where id = $id and next_number = $from and enabled = 1',
);

const deleteDelivered = prepareRun<{ id: string; last: string; limit: number }>(`
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where endpoint_id = $id and state = 'delivered' and id <= $last order by id limit $limit)`);

/** Deletes delivered ones beyond the newest `kept`, at most `limit`; returns their number. */
export async function trimDelivered(
  tx: Tx,
  id: string,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<number> {
  const last = await findOlderThan(tx, { endpointId: id, state: 'delivered', offset: kept });
  return last === undefined ? 0 : deleteDelivered(tx, { id, last: last.id, limit });
}
