import { getActionContext } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import { describeDevice } from '../../../lib/devices.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import * as queries from './queries.ts';
import { ALL_SCOPES } from './scopes.ts';

/** The limit on concurrent sessions of an account (OWASP ASVS 5.0, 7.1.2): of tokens that no application has. */
export const MAX_TOKENS_PER_USER = 50;
/** Of each application in each sign-in session, and of each refresh token. */
export const MAX_TOKENS_OF_APPLICATION = 5;
/** Of each application on devices, whose tokens end with no sign-in session: with and without a refresh token. */
export const MAX_DEVICES_OF_APPLICATION = 20;

/** The name of all tokens of logins. */
export const LOGIN_TOKEN = 'auth_token';

function getMaximum({ applicationId, sessionId, familyId }: Omit<queries.TokenGroup, 'userId'>): number {
  if (applicationId === null) return MAX_TOKENS_PER_USER;
  return sessionId === null && familyId === null ? MAX_DEVICES_OF_APPLICATION : MAX_TOKENS_OF_APPLICATION;
}

export interface TokenGrant {
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly lifetimeSeconds: number;
}

type StoredGrant = Parameters<typeof storeToken>[1];
export type IssuedToken = Awaited<ReturnType<typeof storeToken>>;

/** Stores a new token of a login, or of an application, which replaces the oldest of its group if there are too many. */
export async function issueToken(tx: Tx, grant: TokenGrant & Partial<StoredGrant>): Promise<IssuedToken> {
  const issued = await storeToken(tx, { name: LOGIN_TOKEN, scopes: ALL_SCOPES, ...grant });
  await replaceOldest(tx, grant, issued.tokenHash);
  return issued;
}

/** Deletes the oldest tokens of the group beyond its maximum, of which the issued one is none. */
export async function replaceOldest(
  tx: Tx,
  { userId, now, applicationId = null, sessionId = null, familyId = null }: TokenGrant & Partial<StoredGrant>,
  issuedHash: string,
): Promise<void> {
  const group = { userId, applicationId, sessionId, familyId };
  const others = getMaximum(group) - 1;
  await queries.keepNewestTokens(tx, { ...group, issuedHash, now, others });
}

/** Deletes the oldest tokens of a person who has taken over others, beyond the maximum of each group without a session. */
export async function keepNewestOfPerson(tx: Tx, userId: string, now: number): Promise<void> {
  for (const applicationId of [null, ...(await queries.listApplicationsOfTokens(tx, userId))]) {
    const group = { userId, applicationId, sessionId: null, familyId: null };
    await queries.keepNewestTokens(tx, { ...group, issuedHash: '', now, others: getMaximum(group) });
    if (applicationId !== null)
      await queries.keepNewestFamilies(tx, { userId, applicationId, count: MAX_DEVICES_OF_APPLICATION });
  }
}

/** Rejects a token beyond the maximum of its group; no other is revoked. @throws Problem too_many_tokens */
export async function checkTokenCount(tx: Tx, group: queries.TokenGroup, now: number): Promise<void> {
  if ((await queries.countTokensOfGroup(tx, { ...group, now })) >= getMaximum(group))
    throw new Problem('too_many_tokens');
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
    readonly familyId?: string | null;
    /** A refresh token, and the hash by which it is found. */
    readonly refreshToken?: { readonly text: string; readonly hash: string };
  },
) {
  const { userId, now, lifetimeSeconds, name, scopes, refreshToken } = grant;
  const { applicationId = null, sessionId = null, familyId = null } = grant;
  const accessToken = refreshToken?.text ?? newToken();
  const tokenHash = refreshToken?.hash ?? hashToken(accessToken);
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
  await queries.insertToken(tx, { ...row, hash: tokenHash, userId, applicationId, sessionId, familyId });
  const record: queries.TokenRow = { ...row, last_used_at: null, last_used_network: null };
  return { accessToken, tokenHash, expiresInSeconds: lifetimeSeconds, record };
}
