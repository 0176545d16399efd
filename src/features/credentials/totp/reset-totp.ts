/** Removes the second factor of a credential whose holder has lost it. */
import type { AdminCredential } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockCredentials } from '../credential-caller.ts';
import { findCredential } from '../queries.ts';
import { formatCredentialSubject } from '../rules.ts';
import { deleteTotp } from './queries.ts';

const OWN = 'The second factor of your own credential is switched off with a code, in the console';

/**
 * Returns whether the credential had a second factor. Its sessions stay.
 * @throws Problem credential_not_found, unauthorized, forbidden for the credential of the caller, whose second factor
 *   is switched off with a code
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
    await deleteTotp(tx, id);
    if (credential.totp_enabled_at === null) return false;
    const event = { type: 'credential.totp_disabled', subject: formatCredentialSubject(id) } as const;
    await recordEvent(tx, { ...event, details: { name: credential.name }, now });
    return true;
  });
}
