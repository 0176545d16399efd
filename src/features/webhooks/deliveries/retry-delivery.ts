/** Attempts a delivery now: also one that has failed for good, or has succeeded. */
import type { Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { attemptNow } from '../../jobs/queries.ts';
import { formatEndpointSubject } from '../rules.ts';
import { checkRoom, enqueueAllAgain, lockEnabled } from './enqueue-deliveries.ts';
import { addAttempts, type DeliveryWithAttempts } from './list-deliveries.ts';
import { findDelivery, lockDelivery } from './queries.ts';

/**
 * A finished delivery gets all attempts of a new one. One that is being attempted stays as it is.
 * @throws Problem webhook_not_found, webhook_disabled, webhook_delivery_not_found, too_many_deliveries
 */
export async function retryDelivery(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<DeliveryWithAttempts> {
  await lockEnabled(tx, endpointId);
  const delivery = isId(deliveryId) ? await lockDelivery(tx, deliveryId, endpointId) : undefined;
  if (delivery === undefined) throw new Problem('webhook_delivery_not_found');
  const now = clock();
  if (delivery.state === 'pending') await attemptNow(tx, deliveryId, now);
  else {
    await checkRoom(tx, endpointId, 1);
    await enqueueAllAgain(tx, [delivery], now);
  }
  const details = { delivery_id: deliveryId };
  const subject = formatEndpointSubject(endpointId);
  await recordEvent(tx, { type: 'webhook.delivery_retried', subject, details, now });
  const [after] = await addAttempts(tx, [(await findDelivery(tx, deliveryId))!]);
  return after!;
}
