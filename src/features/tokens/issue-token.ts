import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/ids.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import { insertToken, keepNewestTokens } from './queries.ts';

/** OWASP ASVS 5.0, 7.1.2: how many sessions an account may have at once. */
export const LIVE_TOKENS_PER_USER = 50;

/** What every token may do; nothing of it reaches beyond its own user. */
const SCOPES = 'self:read self:write tokens:manage';

export interface IssuedToken {
  /** The only time that the token itself is known. */
  readonly accessToken: string;
  readonly tokenHash: string;
  readonly expiresInSeconds: number;
}

/** Stores the SHA-256 of a new token; the oldest one goes when the user has more than may live at once. */
export async function issueToken(
  tx: Tx,
  userId: string,
  now: number,
  lifetimeSeconds: number,
): Promise<IssuedToken> {
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
  await keepNewestTokens(tx, userId, tokenHash, LIVE_TOKENS_PER_USER);
  return { accessToken, tokenHash, expiresInSeconds: lifetimeSeconds };
}
