import type { Database } from '../../database/database.ts';
import type { UserCaller } from '../../http/route.ts';
import { findLiveToken } from './queries.ts';

/** Returns the caller of a valid token. One read suffices: users that cannot log in have no tokens. */
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
