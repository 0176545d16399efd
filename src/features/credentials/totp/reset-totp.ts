/** Removes the second factor of a credential whose holder has lost it. */
import type { AdminCredential } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import { lockCredentials } from '../credential-caller.ts';
import { findCredential } from '../queries.ts';
import { recordCredentialEvent } from '../record-credential-event.ts';

const OWN = 'The second factor of your own credential is switched off with a code, in the console';

/**
 * Returns whether the credential had a second factor. Its sessions stay. @throws Problem credential_not_found,
 * unauthorized, forbidden for the credential of the caller, whose second factor is switched off with a code
 */
export async function resetTotp(
  { database, clock }: DatabaseDeps,
  caller: AdminCredential,
  id: string,
): Promise<boolean> {
  if (id === caller.id) throw new Problem('forbidden', { text: OWN });
  return database.transaction(async (tx) => {
    const now = clock();
    await lockCredentials(tx, caller, now);
    const credential = await findCredential(tx, id);
    if (credential === undefined) throw new Problem('credential_not_found');
    await credentialFactors.remove(tx, id, now);
    if (credential.totp_enabled_at === null) return false;
    await recordCredentialEvent(tx, credential, { type: 'credential.totp_disabled', now });
    return true;
  });
}
