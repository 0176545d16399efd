/** Says which texts are valid tokens of users, and whose (token introspection, RFC 7662). */
import { cacheUntilCommit } from '../../../database/cache-until-commit.ts';
import type { Database } from '../../../database/database.ts';
import { MAX_ROWS } from '../../../database/prepare.ts';
import { joinLookups, type Load } from '../../../lib/queues/shared-work.ts';
import { hashToken, isToken } from '../../../lib/secrets/tokens.ts';
import type { Clock } from '../../../lib/time.ts';
import { parseMetadata } from '../../users/records/metadata.ts';
import { findLiveTokens, findVerifiedToken, type VerifiedToken } from './verification-queries.ts';

export const MAX_VERIFIED_TOKENS = 100;

/** Members that are returned on request only. */
const FURTHER_MEMBERS = {
  level: ({ level }: VerifiedToken) => level,
  state: ({ state }: VerifiedToken) => state,
  email_verified: ({ email_verified_at }: VerifiedToken) => email_verified_at !== null,
  user_metadata: ({ user_metadata }: VerifiedToken) => parseMetadata(user_metadata),
  app_metadata: ({ app_metadata }: VerifiedToken) => parseMetadata(app_metadata),
} as const;

type FurtherMember = keyof typeof FURTHER_MEMBERS;
export const FURTHER_MEMBER_NAMES = Object.keys(FURTHER_MEMBERS) as readonly FurtherMember[];

/** Says no more: why a token is not valid is nobody's business (RFC 7662 section 2.2). */
const INACTIVE = { active: false } as const;

/**
 * Returns the result of each text, in their order. Reads the database at most once, or not at all if no text has the
 * format of a token, so that a token which was revoked on any node is inactive at once. Is no use of the tokens.
 * @param texts at most 100
 */
export async function verifyTokens(
  { findVerifiedTokens }: { readonly findVerifiedTokens: FindVerifiedTokens },
  texts: readonly string[],
  include: readonly FurtherMember[],
) {
  const hashes = texts.map((text) => (isToken(text) ? hashToken(text) : null));
  const distinct = [...new Set(hashes.filter((hash) => hash !== null))];
  if (distinct.length === 0) return texts.map(() => INACTIVE);
  const found = await findVerifiedTokens(distinct);
  return hashes.map((hash) => {
    const token = hash === null ? undefined : found.get(hash);
    return token === undefined ? INACTIVE : describeToken(token, include);
  });
}

/** Times are NumericDates: whole seconds (RFC 7519 section 2). `exp` is never after the actual end. */
function describeToken(token: VerifiedToken, include: readonly FurtherMember[]) {
  return {
    active: true,
    sub: token.user_id,
    ...(token.email === null ? {} : { username: token.email }),
    scope: token.scopes,
    ...(token.application_id === null ? {} : { client_id: token.application_id }),
    token_type: 'Bearer',
    exp: Math.floor(token.expires_at / 1000),
    iat: Math.floor(token.created_at / 1000),
    ...Object.fromEntries(include.map((name) => [name, FURTHER_MEMBERS[name](token)])),
  };
}

/** Returns the valid ones of at most 500 tokens by their hash. */
type FindVerifiedTokens = Load<VerifiedToken>;

/** Creates the function. On a shared database, verifications that arrive together have one statement. */
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
