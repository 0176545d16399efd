/** The credential that a session began with, as the session refers to it. */
import { type AdminCredentials, createCredentialCheck } from '../../callers/admin-credentials.ts';
import { type AdminCredential, FIRST_OWNER, type FindCredential } from '../../callers/callers.ts';
import { createKeyedHash } from '../../lib/secrets/secret-key.ts';

/** Before the SHA-256 of the secret of a named credential: the session ends with the secret. */
const NAMED = 'named:';

/** Returns the function that fingerprints values of ADMIN_TOKEN, keyed against guessing and the same on all nodes. */
function createFingerprint(secretKey: string): (credential: string) => string {
  return createKeyedHash(secretKey, 'console-credential');
}

/** Returns the reference that sessions store for a named credential with this SHA-256 of its secret. */
export function toNamedReference(secretHash: string): string {
  return NAMED + secretHash;
}

/** Returns the reference that a session stores for the credential with this text. */
export function toReference(secretKey: string, { secretHash }: AdminCredential, text: string): string {
  return secretHash === null ? createFingerprint(secretKey)(text) : toNamedReference(secretHash);
}

export interface ResolveDeps {
  readonly secretKey: string;
  readonly adminCredentials: AdminCredentials;
  readonly findCredential: FindCredential;
}

/** Creates the function that returns the credential of a reference, if it is still accepted from this address. */
export function createResolve({ secretKey, adminCredentials, findCredential }: ResolveDeps) {
  const isAccepted = createCredentialCheck(adminCredentials, createFingerprint(secretKey));
  return async (reference: string, clientIp: string): Promise<AdminCredential | undefined> => {
    if (reference.startsWith(NAMED)) return findCredential(reference.slice(NAMED.length), clientIp);
    // It may be new to this node, if the session began on another one.
    return isAccepted((fingerprint) => fingerprint === reference, true) ? FIRST_OWNER : undefined;
  };
}
