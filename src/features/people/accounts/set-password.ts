/** The effects of a new password, the same for changes, resets, claims and the administrator. */
import type { ActorType } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import type { EventType } from '../../events/event-types.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { revokeLinks } from '../../mail/links/links.ts';
import { type UserRow, writePasswordHash, writeUser } from '../../users/records/queries.ts';
import { deleteAddedWaysIn } from '../sign-in/way-in-queries.ts';
import { deleteOtherTokens, deleteTokensOfUser } from '../tokens/queries.ts';

export interface NewPassword {
  readonly passwordHash: string;
  readonly event: EventType;
  readonly actor: ActorType;
  /** Hash of the token that stays valid; without it, every token is revoked. */
  readonly keptTokenHash?: string | undefined;
  /** Whether the caller has proved access to the user's email. */
  readonly provesEmail?: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Stores the password of a user that the transaction has locked, revokes tokens and pending links, and queues a
 * notice to a verified address. An unclaimed account becomes active: it must own its email.
 */
export async function setPassword(tx: Tx, user: UserRow, newPassword: NewPassword): Promise<void> {
  const { id: userId } = user;
  const { passwordHash, event, actor, keptTokenHash, now } = newPassword;
  await writePasswordHash(tx, userId, passwordHash);
  const after = await writeRecord(tx, user, newPassword);
  // OWASP ASVS 5.0, 7.4.3: no session survives a new password.
  if (keptTokenHash === undefined) await deleteTokensOfUser(tx, userId);
  else await deleteOtherTokens(tx, userId, keptTokenHash);
  await revokeLinks(tx, user, now);
  await recordEvent(tx, { type: event, userId, actor, now });
  await enqueueNotice(tx, after, { kind: 'password_changed', now });
}

/** Writes and returns the members of the record that change with the password; most passwords change none. */
async function writeRecord(tx: Tx, user: UserRow, { provesEmail = false, now }: NewPassword) {
  const becomesActive = user.state === 'unclaimed';
  const becomesVerified = provesEmail && user.email_verified_at === null;
  if (!becomesActive && !becomesVerified) return user;
  const state = becomesActive ? 'active' : user.state;
  const email_verified_at = becomesVerified ? now : user.email_verified_at;
  // Another person may have added them, before the address had an owner.
  if (becomesVerified) await deleteAddedWaysIn(tx, user.id);
  const after = { ...user, state, email_verified_at };
  await writeUser(tx, { before: user, after, now });
  return after;
}
