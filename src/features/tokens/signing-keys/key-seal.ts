import { createSeal, type SecretSeal } from '../../../lib/secrets/encryption.ts';

/** Creates the encryption of private keys, JSON Web Keys as text, each bound to the id of its signing key. */
export function createKeySeal(secretKey: string): SecretSeal {
  return createSeal(secretKey, 'signing-keys');
}
