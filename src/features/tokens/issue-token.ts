import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/ids.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import { insertToken, keepNewestTokens } from './queries.ts';

/** The limit on concurrent sessions of an account (OWASP ASVS 5.0, 7.1.2). */
export const MAX_TOKENS_PER_USER = 50;

/** The scopes of every token. All of them are limited to the token's own user. */
const SCOPES = 'self:read self:write tokens:manage';

export interface TokenGrant {
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly lifetimeSeconds: number;
}

export interface IssuedToken {
  /** Not stored: the caller gets it now or never. */
  readonly accessToken: string;
  readonly tokenHash: string;
  readonly expiresInSeconds: number;
}

/** Stores the SHA-256 of a new token, and deletes the oldest ones of a user that has too many. */
export async function issueToken(tx: Tx, grant: TokenGrant): Promise<IssuedToken> {
  const { userId, now, lifetimeSeconds } = grant;
  const accessToken = newToken();
  const tokenHash = hashToken(accessToken);
  await insertToken(tx, {
    hash: tokenHash,
    id: newId(),
    userId,
    name: 'auth_token',
    scopes: SCOPES,
    created_at: now,
    expires_at: now + lifetimeSeconds * 1000,
  });
  await keepNewestTokens(tx, { userId, issuedHash: tokenHash, count: MAX_TOKENS_PER_USER });
  return { accessToken, tokenHash, expiresInSeconds: lifetimeSeconds };
}
