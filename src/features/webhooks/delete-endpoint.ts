/** Deletes an endpoint with its deliveries. */
import type { Database } from '../../database/database.ts';
import { Problem } from '../../problems/problem.ts';
import { checkVersion, type VersionCheck } from '../users/rules.ts';
import { deleteEndpointRow, lockEndpoint } from './queries.ts';

/** @throws Problem webhook_not_found, precondition_failed */
export async function deleteEndpoint(
  { database }: { readonly database: Database },
  id: string,
  isExpected: VersionCheck | undefined,
): Promise<void> {
  await database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    if (isExpected !== undefined) checkVersion(endpoint, isExpected);
    await deleteEndpointRow(tx, id);
  });
}
