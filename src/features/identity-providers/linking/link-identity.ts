/** The effects of a link on an account. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { revokeLinks } from '../../mail/links/revoke-links.ts';
import { userFactors } from '../../second-factor/queries.ts';
import { deleteTokensOfUser } from '../../tokens/queries.ts';
import { type UserRow, writeUser } from '../../users/records/queries.ts';
import { countIdentities, deleteWaysIn, insertIdentity } from '../queries.ts';
import { type Arrival, Outdated } from './find-decision.ts';

const MAX_IDENTITIES = 20;

/** Links the identity to a user. @throws Outdated if it was linked meanwhile; Problem user_state_conflict */
export async function linkIdentity(
  tx: Tx,
  { identity, provider }: Pick<Arrival, 'identity' | 'provider'>,
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<void> {
  if ((await countIdentities(tx, userId)) >= MAX_IDENTITIES)
    throw new Problem('user_state_conflict', { text: 'The user has the maximum number of identities' });
  const { issuer, subject, email } = identity;
  const row = { id: newId(), user_id: userId, issuer, subject, email, created_at: now, last_used_at: now };
  if ((await insertIdentity(tx, row)) === 0) throw new Outdated();
  const details = { provider: provider.name };
  await recordEvent(tx, { type: 'identity.linked', userId, actor: 'user', details, now });
}

type Noticed = Pick<Arrival, 'provider'> & { readonly now: number };

/** Notifies a user that another way to sign in was added to the account. */
export function notifyOfLink(tx: Tx, user: UserRow, { provider, now }: Noticed) {
  return enqueueNotice(tx, user, { kind: 'identity_linked', data: { provider: provider.name }, now });
}

/** Makes the email of a user verified, and an unclaimed account active. Returns the record. */
export async function claimAccount(tx: Tx, user: UserRow, now: number): Promise<UserRow> {
  const after = { ...user, state: 'active', email_verified_at: user.email_verified_at ?? now } as const;
  await writeUser(tx, { before: user, after, now });
  if (user.state === 'unclaimed') {
    await revokeLinks(tx, user, now);
    await recordEvent(tx, { type: 'user.claimed', userId: user.id, actor: 'user', now });
  } else if (user.email_verified_at === null) {
    await recordEvent(tx, { type: 'email.verified', userId: user.id, actor: 'user', now });
  }
  return after;
}

/**
 * Gives an account to the owner of its email, which somebody else has used to register: password, tokens, sessions,
 * second factor, links, identities and `user_metadata` are deleted.
 */
export async function takeAccountOver(tx: Tx, user: UserRow, { provider, now }: Noticed): Promise<void> {
  const { id: userId } = user;
  await deleteTokensOfUser(tx, userId);
  await revokeLinks(tx, user, now);
  await userFactors.remove(tx, userId, now);
  await deleteWaysIn(tx, userId);
  const after = { ...user, user_metadata: null, email_verified_at: now };
  await writeUser(tx, { before: user, after, now });
  const details = { provider: provider.name };
  await recordEvent(tx, { type: 'account.taken_over', userId, actor: 'user', details, now });
  await enqueueNotice(tx, after, { kind: 'account_taken_over', data: details, now });
}
