/** Replaces the secret of a credential. The replaced one stays valid for a while. */
import type { AdminCredential } from '../../callers/callers.ts';
import type { Tx } from '../../database/database.ts';
import { getFirstCharacters, hashToken, newCredential } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';
import type { CredentialDeps, CredentialWithSecret } from './create-credential.ts';
import { lockCredentials } from './credential-caller.ts';
import { findCredential, replaceSecret } from './queries.ts';
import { recordCredentialEvent } from './record-credential-event.ts';

/**
 * A rotation within the overlap of the last one ends the validity of the oldest of the three secrets at once.
 * @throws Problem credential_not_found, credential_expired, unauthorized
 */
export async function rotateCredential(
  { clock }: CredentialDeps,
  tx: Tx,
  { caller, id, overlapSeconds }: { caller: AdminCredential; id: string; overlapSeconds: number },
): Promise<CredentialWithSecret> {
  const now = clock();
  await lockCredentials(tx, caller, now);
  const before = await findCredential(tx, id);
  if (before === undefined) throw new Problem('credential_not_found');
  if (before.expires_at !== null && before.expires_at <= now) throw new Problem('credential_expired');
  const secret = newCredential();
  const credential = await replaceSecret(tx, {
    id,
    secretHash: hashToken(secret),
    firstCharacters: getFirstCharacters(secret),
    previousUntil: overlapSeconds === 0 ? null : now + overlapSeconds * 1000,
    now,
  });
  const details = { overlap_seconds: overlapSeconds };
  await recordCredentialEvent(tx, credential, { type: 'credential.rotated', details, now });
  return { credential, secret };
}
