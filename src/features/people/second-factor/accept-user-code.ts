/** Accepts codes of the second factor of users. */
import type { Tx } from '../../../database/database.ts';
import { invalidTotpCode } from '../../../problems/challenges.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import type { UserRow } from '../../users/records/queries.ts';
import { type AcceptCodeDeps, acceptCode } from './accept-code.ts';

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
