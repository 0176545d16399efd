/** Sends a link to a user on behalf of the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueueMail } from '../mail/enqueue-mail.ts';
import { requireEmailOwner } from '../people/accounts/change-email.ts';
import type { SENT_LINKS } from '../people/accounts/schemas.ts';
import { lockUser, type UserRow } from './records/queries.ts';

type SentLinkKind = (typeof SENT_LINKS)[number];

/**
 * Queues a message with the link. Links that were sent before stay valid.
 * @throws Problem user_not_found, user_state_conflict
 */
export async function sendLink(
  { database, clock }: DatabaseDeps,
  { kind, userId, redirectTo }: { kind: SentLinkKind; userId: string; redirectTo: string | null },
): Promise<void> {
  await database.transaction(async (tx) => {
    const user = await requireEmailOwner(tx, await lockUser(tx, userId));
    const obstacle = getRejectionReason(kind, user);
    if (obstacle !== null) throw new Problem('user_state_conflict', { text: obstacle });
    const now = clock();
    await enqueueMail(tx, { kind, userId, email: user.email, isByAdministrator: true, redirectTo, now });
    await recordEvent(tx, { type: 'link.requested', userId, details: { kind }, now });
  });
}

/** Returns why the link would have no use, or null. */
function getRejectionReason(kind: SentLinkKind, { state, email_verified_at }: UserRow): string | null {
  if (kind === 'claim_account') return state === 'unclaimed' ? null : 'The account is claimed already';
  if (state !== 'active') return 'The user is not active';
  return kind === 'verify_email' && email_verified_at !== null ? 'The email is verified already' : null;
}
