/** Revokes a credential: no node accepts it after the commit. */
import type { AdminCredential } from '../../callers/callers.ts';
import type { DatabaseDeps } from '../../database/database.ts';
import { Problem } from '../../problems/problem.ts';
import { lockCredentials } from './credential-caller.ts';
import { deleteCredential, findCredential } from './queries.ts';
import { recordCredentialEvent } from './record-credential-event.ts';

/** @throws Problem credential_not_found, unauthorized */
export async function revokeCredential(
  { database, clock }: DatabaseDeps,
  caller: AdminCredential,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const now = clock();
    await lockCredentials(tx, caller, now);
    const credential = await findCredential(tx, id);
    if (credential === undefined) throw new Problem('credential_not_found');
    await deleteCredential(tx, id);
    await recordCredentialEvent(tx, credential, { type: 'credential.revoked', now });
  });
}
