/** Reads one delivery with what was sent and received. */
import type { Reader } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { findEndpoint } from '../queries.ts';
import { deliveryDetailView } from './delivery-responses.ts';
import { addAttempts } from './list-deliveries.ts';
import { findDelivery, readFullAttempts } from './queries.ts';

/** @throws Problem webhook_not_found, webhook_delivery_not_found */
export async function readDelivery(reader: Reader, endpointId: string, id: string) {
  if ((await findEndpoint(reader, endpointId)) === undefined) throw new Problem('webhook_not_found');
  const row = isId(id) ? await findDelivery(reader, id) : undefined;
  if (row?.endpoint_id !== endpointId) throw new Problem('webhook_delivery_not_found');
  const [delivery] = await addAttempts(reader, [row]);
  return deliveryDetailView(delivery!, await readFullAttempts(reader, id));
}
