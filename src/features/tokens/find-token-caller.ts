import type { Database } from '../../database/database.ts';
import type { UserCaller } from '../../http/route.ts';
import { findLiveToken } from './queries.ts';

/**
 * Who a token stands for. One read: a user that may not log in has no tokens, so the user need not be asked.
 */
export async function findTokenCaller(
  database: Database,
  tokenHash: string,
  now: number,
): Promise<UserCaller | undefined> {
  const token = await findLiveToken(database, tokenHash, now);
  if (token === undefined) return undefined;
  return {
    kind: 'user',
    userId: token.user_id,
    tokenId: token.id,
    tokenHash,
    scopes: token.scopes.split(' '),
    tokenLastUsedAt: token.last_used_at,
  };
}
