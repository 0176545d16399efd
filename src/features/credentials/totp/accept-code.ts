/** Accepts codes of authenticator apps and recovery codes, each of them once. */
import { toActor } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import { type SecretSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import { invalidTotpCode } from '../../../problems/challenges.ts';
import type { CredentialRow } from '../queries.ts';
import { recordCredentialEvent } from '../record-credential-event.ts';
import { countRecoveryCodes, findTotp, useRecoveryCode, useTotpStep } from './queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

export interface AcceptCodeDeps {
  readonly totpSecrets: SecretSeal;
}

export interface PresentedCode {
  /** Whose code it is. */
  readonly credential: Pick<CredentialRow, 'id' | 'name'>;
  /** As it was typed: of the app, or a recovery code. */
  readonly code: string;
  readonly now: number;
}

/** @throws Problem invalid_totp_code, also for a code that was accepted before */
export async function acceptCode(deps: AcceptCodeDeps, tx: Tx, presented: PresentedCode): Promise<void> {
  const hash = hashRecoveryCode(presented.code);
  const isAccepted =
    hash === undefined
      ? await acceptTotpCode(deps, tx, presented)
      : await acceptRecoveryCode(tx, hash, presented);
  if (!isAccepted) throw invalidTotpCode();
}

/** Returns whether it is a code of the app that was not accepted before (RFC 6238 section 5.2). */
export async function acceptTotpCode(
  { totpSecrets }: AcceptCodeDeps,
  tx: Tx,
  { credential: { id }, code, now }: PresentedCode,
): Promise<boolean> {
  const totp = await findTotp(tx, id);
  // A secret that was encrypted by a SECRET_KEY that is lost accepts no code any more; recovery codes remain.
  const secret = totp === undefined ? null : tryUnseal(totpSecrets, id, totp.secret);
  if (secret === null) return false;
  const step = findTotpStep(secret, code.replace(/\s/g, ''), now);
  return step !== undefined && useTotpStep(tx, id, step);
}

async function acceptRecoveryCode(
  tx: Tx,
  hash: string,
  { credential, now }: PresentedCode,
): Promise<boolean> {
  if (!(await useRecoveryCode(tx, credential.id, hash))) return false;
  const details = { left: await countRecoveryCodes(tx, credential.id) };
  // The sign-in is a request of an anonymous caller.
  const event = { type: 'credential.recovery_code_used', actor: toActor(credential) } as const;
  await recordCredentialEvent(tx, credential, { ...event, details, now });
  return true;
}
