import type { UserCaller } from '../../../callers/callers.ts';
import { cacheUntilCommit } from '../../../database/cache-until-commit.ts';
import type { Database, Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time.ts';
import { credentialRejected } from '../../../problems/challenges.ts';
import { lockUser } from '../../users/records/queries.ts';
import { findLiveToken, type LiveToken } from './queries.ts';
import { readScopes } from './scopes.ts';

/** Creates the function that returns the caller of a valid token. */
export function createFindToken(database: Database, clock: Clock) {
  const find = cacheUntilCommit(database, async (tokenHash) => {
    // One read suffices: users that cannot log in have no tokens.
    const found = await findLiveToken(database, tokenHash, clock());
    return found && toCaller(found, tokenHash);
  });
  return async (tokenHash: string): Promise<UserCaller | undefined> => {
    const caller = await find(tokenHash);
    return caller !== undefined && caller.tokenExpiresAt > clock() ? caller : undefined;
  };
}

function toCaller(found: LiveToken, tokenHash: string): UserCaller {
  return {
    kind: 'user',
    userId: found.id,
    tokenId: found.token_id,
    tokenHash,
    scopes: readScopes(found.scopes),
    tokenExpiresAt: found.expires_at,
    tokenLastUsedAt: found.last_used_at,
    record: found,
  };
}

/** Returns the record of the caller with their token, as both were when the token was read. */
export const getCallerRecord = ({ record }: UserCaller): LiveToken => record as LiveToken;

/** Locks the user, as revocations do, and returns the token of the request. @throws Problem unauthorized if it was revoked */
export async function lockCaller(tx: Tx, caller: UserCaller, now: number): Promise<LiveToken> {
  await lockUser(tx, caller.userId);
  const token = await findLiveToken(tx, caller.tokenHash, now);
  if (token === undefined) throw credentialRejected('api');
  return token;
}
