/** Delivers again what an endpoint has missed since it fails. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/rows.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { checkRoom, enqueueAllAgain } from '../deliveries/enqueue-deliveries.ts';
import { findMissed } from '../health/queries.ts';
import { type EndpointRow, lockEndpoint, updateEndpointRow } from '../queries.ts';
import { applyChanges, formatEndpointSubject, listChanges } from '../rules.ts';
import { attemptAllNow } from './queries.ts';

/**
 * Attempts all deliveries again that have failed since `failing_since`, and at once those that wait for another attempt;
 * returns their number. An endpoint that failures have disabled is enabled, and goes on with the first event that it has
 * missed. A second call finds no failed deliveries any more. @throws Problem webhook_not_found, webhook_disabled
 * (by an administrator), too_many_deliveries
 */
export async function replayUndelivered(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  id: string,
): Promise<number> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  if (endpoint.disabled_reason === 'administrator') throw new Problem('webhook_disabled');
  const since = endpoint.failing_since;
  if (since === null) return 0;
  const now = clock();
  const failed = await findMissed(tx, { endpointId: id, since });
  await checkRoom(tx, id, failed.length);
  if (endpoint.enabled === 0) await enable(tx, endpoint, now);
  // Before the failed ones, which are due already.
  const waiting = await attemptAllNow(tx, id, now);
  for (const batch of inBatches(failed)) {
    await enqueueAllAgain(tx, batch, now);
    await nextTurn();
  }
  const events = failed.length + waiting;
  const subject = formatEndpointSubject(id);
  await recordEvent(tx, { type: 'webhook.replayed', subject, details: { events }, now });
  return events;
}

async function enable(tx: Tx, endpoint: EndpointRow, now: number): Promise<void> {
  const after = applyChanges(endpoint, { enabled: true });
  const subject = formatEndpointSubject(endpoint.id);
  await updateEndpointRow(tx, { ...after, updated_at: now });
  await recordEvent(tx, { type: 'webhook.updated', subject, changes: listChanges(endpoint, after), now });
}
