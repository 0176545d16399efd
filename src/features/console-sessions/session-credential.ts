/** The value of ADMIN_TOKEN that a session began with, as the session refers to it. */
import { type AdminCredentials, createCredentialCheck } from '../../callers/callers.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';

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
