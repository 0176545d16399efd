/** Revokes links of a user, whether or not they have been sent. */
import type { Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { recordDropped } from '../messages/end-message.ts';
import { deleteLinkMail, deleteResetRequests } from '../queries.ts';
import { deleteLinksOfUser } from './queries.ts';

/**
 * Revokes the pending links of a user, and those whose message has not been sent: the link would be created later.
 * The messages first: a delivery that creates a link at the same time is waited for, and its link is deleted then.
 */
export async function revokeLinks(
  tx: Tx,
  { id, email }: { readonly id: string; readonly email: string | null },
  now: number,
): Promise<void> {
  const own = await deleteLinkMail(tx, id);
  const requested = email === null ? [] : await deleteResetRequests(tx, normalizeEmail(email));
  await deleteLinksOfUser(tx, id);
  await recordDropped(tx, [...own, ...requested.map((mail) => ({ ...mail, user_id: id }))], now);
}
