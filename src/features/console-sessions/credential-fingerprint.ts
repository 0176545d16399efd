import { keyedHash } from '../../lib/secrets/secret-key.ts';

/**
 * Returns the function that fingerprints administrator credentials. It is keyed, so that a copy of the database does
 * not permit guessing of credentials, and the same on all nodes.
 */
export function credentialFingerprint(secretKey: string): (credential: string) => string {
  return keyedHash(secretKey, 'console-credential');
}
