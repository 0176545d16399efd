import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';
import { recordEvent } from '../security-events/record-event.ts';
import { lockUser } from '../users/queries.ts';
import { deleteTokensOfUser } from './queries.ts';

/**
 * Revokes all tokens of a user for the administrator; returns their number. The lock makes it wait for a login that
 * is about to issue one. @throws Problem user_not_found
 */
export function revokeAllTokens(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  userId: string,
): Promise<number> {
  return database.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === undefined) throw new Problem('user_not_found');
    const count = await deleteTokensOfUser(tx, userId);
    await recordEvent(tx, { userId, kind: 'tokens_revoked', actor: 'administrator', now: clock() });
    return count;
  });
}
