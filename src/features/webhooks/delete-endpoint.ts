/** Deletes an endpoint, then its deliveries in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps } from '../../database/database.ts';
import { recordEvent } from '../events/record-event.ts';
import type { VersionCheck } from '../users/records/rules.ts';
import { deleteNextDeliveries } from './housekeeping/queries.ts';
import { deleteEndpointRow } from './queries.ts';
import { formatEndpointSubject } from './rules.ts';
import { lockExpected } from './update-endpoint.ts';

const BATCH_SIZE = 500;

/** After an interruption, the housekeeping deletes the rest. @throws Problem webhook_not_found, precondition_failed */
export async function deleteEndpoint(
  { database, clock }: DatabaseDeps,
  id: string,
  isExpected: VersionCheck = () => true,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockExpected(tx, id, isExpected);
    await deleteEndpointRow(tx, id);
    await recordEvent(tx, { type: 'webhook.deleted', subject: formatEndpointSubject(id), now: clock() });
  });
  const deleteBatch = () => database.transaction((tx) => deleteNextDeliveries(tx, id, BATCH_SIZE));
  while ((await deleteBatch()) === BATCH_SIZE) await nextTurn();
}
