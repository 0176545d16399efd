/** The effects of a link on an account. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { revokeLinks } from '../../mail/links/revoke-links.ts';
import { userFactors } from '../../second-factor/queries.ts';
import { deleteTokensOfUser } from '../../tokens/queries.ts';
import { MAX_IDENTITIES } from '../../users/accounts/user-tables/sign-in-tables.ts';
import { type UserRow, writeUser } from '../../users/records/queries.ts';
import { countIdentities, deleteWaysIn, insertIdentity } from '../queries.ts';
import { type Arrival, Outdated } from './find-decision.ts';

/** Links the identity to a user, with a notice to one who had an account before. @throws Outdated; Problem user_state_conflict */
export async function linkIdentity(
  tx: Tx,
  { identity, provider }: Arrival,
  { user, now, isNoticed }: { readonly user: UserRow; readonly now: number; readonly isNoticed: boolean },
): Promise<void> {
  const { id: userId } = user;
  if ((await countIdentities(tx, userId)) >= MAX_IDENTITIES)
    throw new Problem('user_state_conflict', { text: 'The user has the maximum number of identities' });
  const { issuer, subject, email } = identity;
  const row = { id: newId(), user_id: userId, issuer, subject, email, created_at: now, last_used_at: now };
  if ((await insertIdentity(tx, row)) === 0) throw new Outdated();
  const data = { provider: provider.name };
  await recordEvent(tx, { type: 'identity.linked', userId, actor: 'user', details: data, now });
  if (isNoticed) await enqueueNotice(tx, user, { kind: 'identity_linked', data, now });
}

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
 * Ends what others may have used with an email that nobody had verified: sessions, tokens, links, the password and
 * identities. The second factor stays: a mailed code does not replace it.
 */
export async function endOtherWaysIn(tx: Tx, user: UserRow, now: number): Promise<void> {
  await deleteTokensOfUser(tx, user.id);
  await revokeLinks(tx, user, now);
  await deleteWaysIn(tx, user.id);
}

/**
 * Gives an account to the owner of its email, which somebody else has used to register: password, tokens, sessions,
 * second factor, links, identities and `user_metadata` are deleted.
 */
export async function takeAccountOver(
  tx: Tx,
  user: UserRow,
  { provider, now }: Arrival & { readonly now: number },
): Promise<void> {
  const { id: userId } = user;
  await endOtherWaysIn(tx, user, now);
  await userFactors.remove(tx, userId, now);
  // Somebody else was meant by the role.
  const after = { ...user, user_metadata: null, role: null, email_verified_at: now };
  await writeUser(tx, { before: user, after, now });
  const details = { provider: provider.name };
  await recordEvent(tx, { type: 'account.taken_over', userId, actor: 'user', details, now });
  await enqueueNotice(tx, after, { kind: 'account_taken_over', data: details, now });
}
