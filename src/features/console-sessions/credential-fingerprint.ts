import { keyedHash } from '../../lib/secrets/secret-key.ts';

/**
 * Returns the function that fingerprints administrator credentials. It is keyed, so that the database is of no use to
 * somebody who tries candidates, and the same on all nodes.
 */
export function credentialFingerprint(secretKey: string): (credential: string) => string {
  return keyedHash(secretKey, 'console-credential');
}
