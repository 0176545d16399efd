/** Accepts codes of authenticator apps and recovery codes, each of them once. */
import type { Tx } from '../../database/database.ts';
import { type SecretSeal, tryUnseal } from '../../lib/secrets/encryption.ts';
import { normalizeTypedCode } from '../../lib/text/typed-code.ts';
import { userFactors } from './queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

export interface AcceptCodeDeps {
  readonly totpSecrets: SecretSeal;
}

interface PresentedCode {
  readonly userId: string;
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
  const { userId, code } = presented;
  const hash = hashRecoveryCode(code);
  if (hash === undefined) return (await acceptTotpCode(deps, tx, presented)) ? {} : null;
  if (!(await userFactors.useCode(tx, userId, hash))) return null;
  return { recoveryCodesLeft: await userFactors.countCodes(tx, userId) };
}

/** Returns whether it is a code of the app that was not accepted before (RFC 6238 section 5.2). */
export async function acceptTotpCode(
  { totpSecrets }: AcceptCodeDeps,
  tx: Tx,
  { userId, code, now }: PresentedCode,
): Promise<boolean> {
  const app = await userFactors.findApp(tx, userId);
  // A secret that was encrypted by a SECRET_KEY that is lost accepts no code any more; recovery codes remain.
  const secret = app === undefined ? null : tryUnseal(totpSecrets, userId, app.secret);
  if (secret === null) return false;
  const step = findTotpStep(secret, normalizeTypedCode(code), now);
  return step !== undefined && userFactors.useStep(tx, userId, step);
}
