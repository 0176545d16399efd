/** Revokes all tokens of a user on behalf of the administrator. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';
import { recordEvent } from '../security-events/record-event.ts';
import { lockUser } from '../users/queries.ts';
import { deleteTokensOfUser } from './queries.ts';

export interface RevokeTokensDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Ends all sessions, and records that if there were any. Locks the user, as every transaction that issues a
 * token does: no token is issued by a request that was authenticated before.
 * @throws Problem user_not_found
 */
export function revokeTokensOfUser({ database, clock }: RevokeTokensDeps, userId: string): Promise<void> {
  return database.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === undefined) throw new Problem('user_not_found');
    // Repeated requests leave one event.
    if ((await deleteTokensOfUser(tx, userId)) === 0) return;
    await recordEvent(tx, { userId, kind: 'tokens_revoked', actor: 'administrator', now: clock() });
  });
}
