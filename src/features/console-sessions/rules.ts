/**
 * Lifetimes of sessions of the console (OWASP ASVS 5.0, 7.3), which people have from their sign-in session, and the value
 * of ADMIN_TOKEN that a session began with.
 */
import { type AdminCredentials, createCredentialCheck } from '../../callers/callers.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';

/** Time without a request after which a session ends. */
export const IDLE_MS = 30 * MINUTE;
/** Time after which a session ends in any case. */
export const LIFETIME_MS = 12 * HOUR;
/** Uses within this time of a recorded one are not written: a session may end so much earlier. */
export const USE_INTERVAL_MS = MINUTE;
/** A sign-in beyond this number of sessions of ADMIN_TOKEN ends the oldest. */
export const MAX_SESSIONS = 10;

export interface FirstOwnerDeps {
  readonly secretKey: string;
  readonly adminCredentials: AdminCredentials;
}

/** Returns the function that fingerprints values of ADMIN_TOKEN, keyed against guessing and the same on all nodes. */
export function createFingerprint({ secretKey }: Pick<FirstOwnerDeps, 'secretKey'>) {
  return createKeyedHash(secretKey, 'console-credential');
}

/** Creates the function that tells whether the value of a fingerprint is still accepted. */
export function createIsAccepted(deps: FirstOwnerDeps): (fingerprint: string) => boolean {
  const isAccepted = createCredentialCheck(deps.adminCredentials, createFingerprint(deps));
  // It may be new to this node, if the session began on another one.
  return (fingerprint) => isAccepted((accepted) => accepted === fingerprint, true);
}
