import { createSeal, type SecretSeal } from '../../../lib/secrets/encryption.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import type { NewSigningKey } from './queries.ts';

/** The algorithm of all keys: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export const ALGORITHM = 'ES256';

/** Generates a key pair, with the private key encrypted. Not to be called in a transaction. */
export async function generateKey(seal: SecretSeal): Promise<NewSigningKey> {
  // Imported with the first key, because the import would delay the start.
  const { exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const id = newId();
  return {
    id,
    public_key: JSON.stringify(await exportJWK(publicKey)),
    private_key: seal.seal(id, Buffer.from(JSON.stringify(await exportJWK(privateKey)))),
  };
}

/** Creates the encryption of private keys, JSON Web Keys as text, each bound to the id of its signing key. */
export function createKeySeal(secretKey: string): SecretSeal {
  return createSeal(secretKey, 'signing-keys');
}
