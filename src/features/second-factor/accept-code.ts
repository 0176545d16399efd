/** Accepts codes of authenticator apps and recovery codes, each of them once. */
import type { Tx } from '../../database/database.ts';
import { type SecretSeal, tryUnseal } from '../../lib/secrets/encryption.ts';
import type { FactorStore } from './queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

export interface AcceptCodeDeps {
  readonly totpSecrets: SecretSeal;
}

interface PresentedCode {
  readonly factors: FactorStore;
  /** Whose code it is. */
  readonly ownerId: string;
  /** A code of the app or a recovery code, as it was typed. */
  readonly code: string;
  readonly now: number;
}

/**
 * Returns null for a code that is not accepted, or was before; otherwise how many recovery codes are left if it was one
 * of them.
 */
export async function acceptCode(
  deps: AcceptCodeDeps,
  tx: Tx,
  presented: PresentedCode,
): Promise<{ readonly recoveryCodesLeft?: number } | null> {
  const { factors, ownerId, code } = presented;
  const hash = hashRecoveryCode(code);
  if (hash === undefined) return (await acceptTotpCode(deps, tx, presented)) ? {} : null;
  if (!(await factors.useCode(tx, ownerId, hash))) return null;
  return { recoveryCodesLeft: await factors.countCodes(tx, ownerId) };
}

/** Returns whether it is a code of the app that was not accepted before (RFC 6238 section 5.2). */
export async function acceptTotpCode(
  { totpSecrets }: AcceptCodeDeps,
  tx: Tx,
  { factors, ownerId, code, now }: PresentedCode,
): Promise<boolean> {
  const app = await factors.findApp(tx, ownerId);
  // A secret that was encrypted by a SECRET_KEY that is lost accepts no code any more; recovery codes remain.
  const secret = app === undefined ? null : tryUnseal(totpSecrets, ownerId, app.secret);
  if (secret === null) return false;
  const step = findTotpStep(secret, code.replace(/\s/g, ''), now);
  return step !== undefined && factors.useStep(tx, ownerId, step);
}
