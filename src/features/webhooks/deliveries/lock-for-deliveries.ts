import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { type EndpointRow, lockEndpoint } from '../queries.ts';
import { hasPending } from './queries.ts';

/** Pending deliveries of an endpoint. */
export const MAX_PENDING = 10_000;

/** Returns an endpoint that is enabled, locked. @throws Problem webhook_not_found, webhook_disabled */
export async function lockEnabled(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  if (endpoint.enabled !== 1) throw new Problem('webhook_disabled');
  return endpoint;
}

/** @throws Problem too_many_deliveries if so many more would exceed the maximum of a locked endpoint */
export async function checkRoom(tx: Tx, endpointId: string, added: number): Promise<void> {
  if (added === 0) return;
  const isFull = added > MAX_PENDING || (await hasPending(tx, endpointId, MAX_PENDING - added + 1));
  if (isFull) throw new Problem('too_many_deliveries');
}
