/** Sends an event that has not happened, so that the receiver can be tried. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { formatEndpointSubject } from '../rules.ts';
import { checkRoom, enqueueDeliveries, lockEnabled } from './enqueue-deliveries.ts';

/** Is in no list of types: a test is delivered to every endpoint that it is requested for. */
export const TEST_TYPE = 'webhook.test';

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
