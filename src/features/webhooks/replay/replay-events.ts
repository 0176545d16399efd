/** Delivers events again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/rows.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { type DeliveredEvent, enqueueDeliveries } from '../deliveries/enqueue-deliveries.ts';
import { checkRoom, lockEnabled } from '../deliveries/lock-for-deliveries.ts';
import { endpointSubject } from '../rules.ts';

/** Returns the number of deliveries. @throws Problem webhook_not_found, webhook_disabled, too_many_deliveries */
export async function replayEvents(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { endpointId, events }: { readonly endpointId: string; readonly events: readonly DeliveredEvent[] },
): Promise<number> {
  await lockEnabled(tx, endpointId);
  await checkRoom(tx, endpointId, events.length);
  const now = clock();
  for (const batch of inBatches(events)) {
    await enqueueDeliveries(tx, { endpointId, now }, batch);
    // Yields to requests: statements on SQLite are synchronous and would block the event loop.
    await nextTurn();
  }
  const details = { events: events.length };
  await recordEvent(tx, { type: 'webhook.replayed', subject: endpointSubject(endpointId), details, now });
  return events.length;
}
