/** Finds the tokens of a verification in the database, as they are when it begins. */
import { cacheUntilCommit } from '../../../database/cache-until-commit.ts';
import type { Database } from '../../../database/database.ts';
import { MAX_ROWS } from '../../../database/rows.ts';
import { joinLookups, type Load } from '../../../lib/queues/joined-lookups.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { findLiveTokens, findVerifiedToken, type VerifiedToken } from './queries.ts';

/** Returns the valid ones of at most 500 tokens by their hash. */
export type FindVerifiedTokens = Load<VerifiedToken>;

/**
 * Creates the function. On a shared database, each statement is a message over the network: verifications that arrive
 * together have one. On any other one, a read costs less than joining it.
 */
export function createFindVerifiedTokens(database: Database, clock: Clock): FindVerifiedTokens {
  const findMany: FindVerifiedTokens = (hashes) => findLiveTokens(database, hashes, clock());
  if (database.isShared) return joinLookups(findMany, MAX_ROWS);
  const find = cacheUntilCommit(database, (hash) => findVerifiedToken(database, hash, clock()));
  return async (hashes) => {
    if (hashes.length > 1) return findMany(hashes);
    const token = await find(hashes[0]!);
    return new Map(token !== undefined && token.expires_at > clock() ? [[token.hash, token]] : []);
  };
}
