/** Accepts codes of authenticator apps and recovery codes, each of them once. */
import type { Tx } from '../../../database/database.ts';
import { type SecretSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import { normalizeTypedCode } from '../../../lib/text/text.ts';
import { invalidTotpCode } from '../../../problems/challenges.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import type { UserRow } from '../../users/records/queries.ts';
import { findTotpStep, hashRecoveryCode } from './codes.ts';
import { userFactors } from './queries.ts';

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
async function acceptCode(deps: AcceptCodeDeps, tx: Tx, presented: PresentedCode) {
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

/** @throws Problem invalid_totp_code, also for a code that was accepted before */
export async function acceptUserCode(
  deps: AcceptCodeDeps,
  tx: Tx,
  { user, code, now }: { readonly user: UserRow; readonly code: string; readonly now: number },
): Promise<void> {
  const { id: userId } = user;
  const accepted = await acceptCode(deps, tx, { userId, code, now });
  if (accepted === null) throw invalidTotpCode();
  const { recoveryCodesLeft: left } = accepted;
  if (left === undefined) return;
  const event = { type: 'totp.recovery_code_used', userId, actor: 'user', details: { left } } as const;
  await recordEvent(tx, { ...event, now });
  await enqueueNotice(tx, user, { kind: 'recovery_code_used', now });
}
