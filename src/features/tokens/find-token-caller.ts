import type { UserCaller } from '../../callers/callers.ts';
import { cacheUntilCommit } from '../../database/cache-until-commit.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { credentialRejected } from '../../problems/challenges.ts';
import { lockUser, type UserRow } from '../users/records/queries.ts';
import { findLiveToken, type LiveToken } from './queries.ts';

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
    scopes: found.scopes.split(' '),
    tokenExpiresAt: found.expires_at,
    tokenLastUsedAt: found.last_used_at,
    record: found,
  };
}

/** Returns the record of the caller, as it was when the token was read. */
export function getCallerRecord({ record }: UserCaller): UserRow {
  return record as UserRow;
}

/** Locks the user, as revocations do. @throws Problem unauthorized if the token of the request was revoked */
export async function lockCaller(tx: Tx, { userId, tokenHash }: UserCaller, now: number): Promise<void> {
  await lockUser(tx, userId);
  if ((await findLiveToken(tx, tokenHash, now)) === undefined) throw credentialRejected('api');
}
