import type { Reader } from '../../../database/database.ts';
import { sqlForRows } from '../../../database/rows.ts';
import type { UserRow } from '../../users/queries.ts';
import type { TokenRow } from '../queries.ts';

/** A valid token with what a verification says of its user. */
export type VerifiedToken = Pick<TokenRow, 'scopes' | 'created_at' | 'expires_at'> &
  Pick<UserRow, 'email' | 'level' | 'state' | 'email_verified_at' | 'user_metadata' | 'app_metadata'> & {
    readonly hash: string;
    readonly user_id: string;
  };

/** With cross joins, SQLite finds each token and its user by their keys, in this order. */
const LIVE_BY_HASHES = sqlForRows<VerifiedToken>(
  { columns: { hash: 'text' }, singleValues: 1 },
  (given) => `
    with ${given}
    select tokens.hash, tokens.user_id, tokens.scopes, tokens.created_at, tokens.expires_at,
           users.email, users.level, users.state, users.email_verified_at, users.user_metadata, users.app_metadata
    from given cross join tokens cross join users
    where tokens.hash = given.hash and tokens.expires_at > $1 and users.id = tokens.user_id`,
);

/** Returns those of at most 500 tokens that are valid at `now`, by their hash. */
export async function findLiveTokens(
  reader: Reader,
  hashes: readonly string[],
  now: number,
): Promise<Map<string, VerifiedToken>> {
  const { statement, values } = LIVE_BY_HASHES(
    [now],
    hashes.map((hash) => [hash]),
  );
  const found = await reader.all(statement, ...values);
  return new Map(found.map((token) => [token.hash, token]));
}
