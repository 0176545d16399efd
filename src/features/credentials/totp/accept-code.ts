/** Accepts codes of the second factor of credentials. */
import { toActor } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import { invalidTotpCode } from '../../../problems/challenges.ts';
import { type AcceptCodeDeps, acceptCode } from '../../second-factor/accept-code.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import type { CredentialRow } from '../queries.ts';
import { recordCredentialEvent } from '../record-credential-event.ts';

/** @throws Problem invalid_totp_code, also for a code that was accepted before */
export async function acceptCredentialCode(
  deps: AcceptCodeDeps,
  tx: Tx,
  { credential, code, now }: { credential: Pick<CredentialRow, 'id' | 'name'>; code: string; now: number },
): Promise<void> {
  const presented = { factors: credentialFactors, ownerId: credential.id, code, now };
  const accepted = await acceptCode(deps, tx, presented);
  if (accepted === null) throw invalidTotpCode('admin');
  const { recoveryCodesLeft: left } = accepted;
  if (left === undefined) return;
  // The sign-in is a request of an anonymous caller.
  const event = { type: 'credential.recovery_code_used', actor: toActor(credential) } as const;
  await recordCredentialEvent(tx, credential, { ...event, details: { left }, now });
}
