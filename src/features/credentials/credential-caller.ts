/** Credentials as callers of requests. */
import type { AdminCredential, FindCredential } from '../../callers/callers.ts';
import type { Database, Tx } from '../../database/database.ts';
import { addSetting, lockSetting } from '../../database/settings.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { credentialRejected } from '../../problems/challenges.ts';
import { findValidCredential } from './queries.ts';
import { isFromNetworks, parseScopes } from './rules.ts';

/** Creates the function, which reads the database for each request: a revoked credential is rejected at once. */
export function createFindCredential(database: Database, clock: Clock): FindCredential {
  return async (secretHash, clientIp) => {
    const found = await findValidCredential(database, secretHash, clock());
    if (found === undefined || !isFromNetworks(found.networks, clientIp)) return undefined;
    const { id, name, scopes, expires_at, last_used_at, totp_enabled_at } = found;
    return {
      id,
      name,
      scopes: parseScopes(scopes),
      secretHash,
      expiresAt: expires_at,
      lastUsedAt: last_used_at,
      hasTotp: totp_enabled_at !== null,
    };
  };
}

/** The row that is locked while credentials change. */
const LOCK_NAME = 'credentials';

/**
 * Lets changes of credentials happen one after the other, and checks that the credential of the request is still
 * valid: one that is revoked meanwhile must not leave a new one behind.
 * @throws Problem unauthorized
 */
export async function lockCredentials(tx: Tx, caller: AdminCredential, now: number): Promise<void> {
  await addSetting(tx, { name: LOCK_NAME, value: '' });
  await lockSetting(tx, LOCK_NAME);
  const { secretHash } = caller;
  if (secretHash !== null && (await findValidCredential(tx, secretHash, now)) === undefined)
    throw credentialRejected('admin');
}
