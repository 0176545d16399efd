/** Switches two-step sign-in on, with the first code of the app. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { wrongCode } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { lockCredentials } from '../../credentials/credential-caller.ts';
import { findCredential, listSecretHashes } from '../../credentials/queries.ts';
import { recordCredentialEvent } from '../../credentials/record-credential-event.ts';
import { type AcceptCodeDeps, acceptTotpCode } from '../../second-factor/accept-code.ts';
import { issueRecoveryCodes } from '../../second-factor/enrol.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import { deleteOtherSessions } from '../queries.ts';
import { toNamedReference } from '../session-credential.ts';
import type { CodeRequest } from './with-code.ts';

/**
 * Ends all other sessions of the credential, which began without a code (`sessionHash`: SHA-256 of the token of this one). Returns the recovery codes.
 * @throws Problem validation_failed for a wrong code, totp_already_enabled, unauthorized
 */
export async function confirmEnrolment(
  deps: AcceptCodeDeps & DatabaseDeps,
  { caller, code, sessionHash }: { caller: CodeRequest['credential']; code: string; sessionHash: string },
): Promise<string[]> {
  return deps.database.transaction(async (tx) => {
    const now = deps.clock();
    await lockCredentials(tx, caller, now);
    const credential = (await findCredential(tx, caller.id))!;
    if (credential.totp_enabled_at !== null) throw new Problem('totp_already_enabled');
    const presented = { factors: credentialFactors, ownerId: caller.id, code, now };
    if (!(await acceptTotpCode(deps, tx, presented))) throw wrongCode();
    await credentialFactors.enable(tx, caller.id, now);
    for (const hash of await listSecretHashes(tx, caller.id))
      await deleteOtherSessions(tx, toNamedReference(hash), sessionHash);
    await recordCredentialEvent(tx, credential, { type: 'credential.totp_enabled', now });
    return issueRecoveryCodes(tx, credentialFactors, credential.id);
  });
}
