import type { UserCaller } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import type { UserRow } from '../users/records/queries.ts';
import { findLiveToken } from './queries.ts';

/** Returns the caller of a valid token. One read suffices: users that cannot log in have no tokens. */
export async function findTokenCaller(
  database: Database,
  tokenHash: string,
  now: number,
): Promise<UserCaller | undefined> {
  const found = await findLiveToken(database, tokenHash, now);
  if (found === undefined) return undefined;
  return {
    kind: 'user',
    userId: found.id,
    tokenId: found.token_id,
    tokenHash,
    scopes: found.scopes.split(' '),
    tokenExpiresAt: found.expires_at,
    tokenLastUsedAt: found.last_used_at,
    record: found,
  };
}

/** Returns the record of the caller, as it was when the token was read. */
export function callerRecord({ record }: UserCaller): UserRow {
  return record as UserRow;
}
