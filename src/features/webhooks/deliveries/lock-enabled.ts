import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { type EndpointRow, lockEndpoint } from '../queries.ts';

/** Returns an endpoint that is enabled, locked. @throws Problem webhook_not_found, webhook_disabled */
export async function lockEnabled(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  if (endpoint.enabled !== 1) throw new Problem('webhook_disabled');
  return endpoint;
}
