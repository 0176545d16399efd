/** The effects on an account when its owner has proved its email. */
import type { Tx } from '../../../database/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { revokeLinks } from '../../mail/links/links.ts';
import { type UserRow, writeUser } from '../../users/records/queries.ts';
import { deleteTokensOfUser } from '../tokens/queries.ts';
import { deleteWaysIn } from './way-in-queries.ts';

/** Makes the email of a user verified, and an unclaimed account active. */
export async function claimAccount(tx: Tx, user: UserRow, now: number): Promise<void> {
  const after = { ...user, state: 'active', email_verified_at: user.email_verified_at ?? now } as const;
  await writeUser(tx, { before: user, after, now });
  if (user.state === 'unclaimed') {
    await revokeLinks(tx, user, now);
    await recordEvent(tx, { type: 'user.claimed', userId: user.id, actor: 'user', now });
  } else if (user.email_verified_at === null) {
    await recordEvent(tx, { type: 'email.verified', userId: user.id, actor: 'user', now });
  }
}

/**
 * Ends what others may have used with an email that nobody had verified: sessions, tokens, links, the password,
 * identities and passkeys. The second factor stays: a mailed code does not replace it.
 */
export async function endOtherWaysIn(tx: Tx, user: UserRow, now: number): Promise<void> {
  await deleteTokensOfUser(tx, user.id);
  await revokeLinks(tx, user, now);
  await deleteWaysIn(tx, user.id);
}
