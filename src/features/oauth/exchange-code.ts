/**
 * Exchanges an authorization code (RFC 6749 section 4.1.3, RFC 7636), or the code of a device as soon as a person has
 * allowed it (RFC 8628 sections 3.4 and 3.5), for a token.
 */
import { hash } from 'node:crypto';
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { isAllowed } from '../applications/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteToken } from '../people/tokens/queries.ts';
import { lockUser } from '../users/records/queries.ts';
import { type DeviceRow, findDevice, recordPoll, useDevice } from './device/queries.ts';
import { rejectUnlessDevice } from './device/request-device.ts';
import { OAuthError } from './error-responses.ts';
import { type GrantDeps, type IssuedGrant, issueGrant } from './issue-grant.ts';
import { findCode, NO_CHALLENGE, useCode } from './queries.ts';

/** Returns null for a code that is not accepted. One that was used revokes its token (RFC 9700 section 2.1.1). */
export async function exchangeCode(
  deps: GrantDeps,
  application: ApplicationRow,
  presented: { readonly code: string; readonly redirectUri: string; readonly verifier: string | undefined },
): Promise<IssuedGrant | null> {
  const { database, clock } = deps;
  const key = { hash: hashToken(presented.code), application_id: application.id };
  // A verifier is accepted for a code with its challenge only, and none for a code without one (RFC 9700 section 4.8.2).
  const { verifier } = presented;
  const challenge = verifier === undefined ? NO_CHALLENGE : hash('sha256', verifier, 'base64url');
  return database.transaction(async (tx) => {
    const found = await findCode(tx, key);
    if (found === undefined) return null;
    // Serialised with disabling the user and another use of the code.
    const user = await lockUser(tx, found.user_id);
    if (user?.state !== 'active' || !(await isAllowed(tx, application, user.id))) return null;
    const use = { now: clock(), tokenId: newId() };
    const code = await useCode(tx, { ...key, ...use, redirect_uri: presented.redirectUri, challenge });
    if (code === undefined) {
      // Read again: another use, or the end of the session, may have come before this one.
      await revokeReused(tx, await findCode(tx, key), use.now);
      return null;
    }
    return issueGrant(deps, tx, { application, user, grant: code, ...use });
  });
}

/** Revokes the token of a code that is used once more. */
async function revokeReused(
  tx: Tx,
  { user_id: userId = null, token_id = null }: Partial<Record<'user_id' | 'token_id', string | null>> = {},
  now: number,
): Promise<void> {
  if (userId === null || token_id === null || (await deleteToken(tx, token_id, userId)) === 0) return;
  const event = { type: 'token.revoked', userId, reason: 'code_reused', details: { token_id } } as const;
  await recordEvent(tx, { ...event, now });
}

const ERRORS = {
  invalid_grant: 'The device code is wrong or was used before',
  expired_token: 'The device code has expired',
  access_denied: 'The person has denied access',
  authorization_pending: 'Nobody has confirmed the user code yet',
  slow_down: 'Wait five seconds more than before between requests',
} as const;

/**
 * Returns the token, which has the authentication of the session that has confirmed it, but does not end with that
 * session: it belongs to another device. A second use revokes the token of the first.
 * @throws OAuthError unauthorized_client, and the errors of RFC 8628 section 3.5
 */
export async function exchangeDeviceCode(deps: GrantDeps, application: ApplicationRow, deviceCode: string) {
  rejectUnlessDevice(application);
  const key = { hash: hashToken(deviceCode), application_id: application.id };
  // Thrown afterwards: the poll, and the revocation, are stored.
  const exchanged = await deps.database.transaction(async (tx) => {
    const found = await findDevice(tx, key);
    if (found === undefined) return 'invalid_grant';
    const now = deps.clock();
    const isLive = found.expires_at > now;
    if (found.allowed === 1) return (await use(deps, tx, { application, found, now })) ?? 'invalid_grant';
    if (!isLive) return 'expired_token';
    return found.allowed === 0 ? 'access_denied' : poll(tx, found, now);
  });
  if (typeof exchanged === 'string') throw new OAuthError(exchanged, ERRORS[exchanged]);
  return exchanged;
}

async function poll(tx: Tx, { hash, interval_seconds }: DeviceRow, now: number) {
  const polled = await recordPoll(tx, { hash, now });
  return polled !== undefined && polled.interval_seconds > interval_seconds
    ? 'slow_down'
    : 'authorization_pending';
}

/** Returns null if the code has expired or was used, and if the account is not active any more. @throws OAuthError access_denied */
async function use(
  deps: GrantDeps,
  tx: Tx,
  { application, found, now }: { application: ApplicationRow; found: DeviceRow; now: number },
) {
  // Serialised with disabling the user and another use of the code.
  const user = await lockUser(tx, found.user_id!);
  if (user?.state !== 'active') return null;
  if (!(await isAllowed(tx, application, user.id)))
    throw new OAuthError('access_denied', 'The person may not use the application');
  const tokenId = newId();
  const used = await useDevice(tx, { ...found, now, tokenId });
  if (used === undefined) {
    await revokeReused(tx, await findDevice(tx, found), now);
    return found.token_id === null && found.expires_at <= now ? 'expired_token' : null;
  }
  const { scopes, amr, authenticated_at } = used;
  const grant = { session_id: null, nonce: null, scopes, amr: amr!, authenticated_at: authenticated_at! };
  return issueGrant(deps, tx, { application, user, grant, tokenId, now });
}
