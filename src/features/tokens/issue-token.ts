import { getActionContext } from '../../callers/action-context.ts';
import type { Tx } from '../../database/database.ts';
import { describeDevice } from '../../lib/devices.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newToken } from '../../lib/secrets/tokens.ts';
import { insertToken, keepNewestTokens, type TokenRow } from './queries.ts';
import { ALL_SCOPES } from './scopes.ts';

/** The limit on concurrent sessions of an account (OWASP ASVS 5.0, 7.1.2). */
export const MAX_TOKENS_PER_USER = 50;

export interface TokenGrant {
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly lifetimeSeconds: number;
}

export type IssuedToken = Awaited<ReturnType<typeof storeToken>>;

/** Stores a new token of a login, or of an application, and deletes the oldest ones of a user that has too many. */
export async function issueToken(
  tx: Tx,
  grant: TokenGrant & Partial<Parameters<typeof storeToken>[1]>,
): Promise<IssuedToken> {
  const { userId, now } = grant;
  const issued = await storeToken(tx, { name: 'auth_token', scopes: ALL_SCOPES, ...grant });
  const issuedHash = issued.tokenHash;
  await keepNewestTokens(tx, { userId, issuedHash, now, others: MAX_TOKENS_PER_USER - 1 });
  return issued;
}

/** Stores the SHA-256 of a new token, with the device and the network of the request. */
export async function storeToken(
  tx: Tx,
  grant: TokenGrant & {
    readonly name: string;
    /** Separated by spaces. */
    readonly scopes: string;
    readonly id?: string;
    readonly applicationId?: string | null;
    readonly sessionId?: string | null;
  },
) {
  const { userId, now, lifetimeSeconds, name, scopes, applicationId = null, sessionId = null } = grant;
  const accessToken = newToken();
  const tokenHash = hashToken(accessToken);
  const { address: network, userAgent } = getActionContext();
  const row = {
    id: grant.id ?? newId(),
    name,
    first_characters: getFirstCharacters(accessToken),
    scopes,
    created_at: now,
    expires_at: now + lifetimeSeconds * 1000,
    device: describeDevice(userAgent),
    network,
  };
  await insertToken(tx, { ...row, hash: tokenHash, userId, applicationId, sessionId });
  const record: TokenRow = { ...row, last_used_at: null, last_used_network: null };
  return { accessToken, tokenHash, expiresInSeconds: lifetimeSeconds, record };
}
