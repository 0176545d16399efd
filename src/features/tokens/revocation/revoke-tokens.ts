/** Revokes all tokens of a user on behalf of the administrator. */
import type { Database, Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockUser } from '../../users/records/queries.ts';
import { deleteTokensOfUser } from '../queries.ts';

/**
 * Ends all sessions, records that if there were any, and returns the number of tokens.
 * @throws Problem user_not_found
 */
export function revokeTokensOfUser(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  userId: string,
): Promise<number> {
  return database.transaction((tx) => applyRevocation(tx, userId, clock()));
}

/**
 * Does the same in a transaction. Locks the user, as every transaction that issues a token does: no token is issued by
 * a request that was authenticated before. @throws Problem user_not_found
 */
export async function applyRevocation(tx: Tx, userId: string, now: number): Promise<number> {
  if ((await lockUser(tx, userId)) === undefined) throw new Problem('user_not_found');
  const revoked = await deleteTokensOfUser(tx, userId);
  // Repeated requests leave one event.
  if (revoked > 0) {
    const details = { tokens: revoked };
    await recordEvent(tx, { type: 'token.revoked', userId, reason: 'several', details, now });
  }
  return revoked;
}
