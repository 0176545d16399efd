import type { Database } from '../../database/database.ts';
import type { UserCaller } from '../../http/route.ts';
import { findUser, type UserRow } from '../users/queries.ts';
import { findLiveToken, findLiveTokenWithUser, type TokenOwner } from './queries.ts';

/**
 * Returns the caller of a valid token. One read suffices: users that cannot log in have no tokens. A shared database
 * is another machine, and returns the user's record in the same round trip; a local one reads two rows by their keys
 * faster than it joins them.
 */
export async function findTokenCaller(
  database: Database,
  tokenHash: string,
  now: number,
): Promise<UserCaller | undefined> {
  if (!database.isShared) return callerOf(tokenHash, await findLiveToken(database, tokenHash, now));
  const found = await findLiveTokenWithUser(database, tokenHash, now);
  const caller = callerOf(tokenHash, found);
  if (caller !== undefined) records.set(caller, found!);
  return caller;
}

/** The records that were read together with their callers' tokens. */
const records = new WeakMap<UserCaller, UserRow>();

/** Returns the record of the caller, or undefined when the user was deleted in the meantime. */
export async function findCallerRecord(database: Database, caller: UserCaller): Promise<UserRow | undefined> {
  return records.get(caller) ?? findUser(database, caller.userId);
}

function callerOf(tokenHash: string, token: TokenOwner | undefined): UserCaller | undefined {
  if (token === undefined) return undefined;
  return {
    kind: 'user',
    userId: token.user_id,
    tokenId: token.token_id,
    tokenHash,
    scopes: token.scopes.split(' '),
    tokenLastUsedAt: token.last_used_at,
  };
}
