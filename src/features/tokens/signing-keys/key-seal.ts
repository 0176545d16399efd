/** Encryption of private keys in the database. */
import { decrypt, encrypt } from '../../../lib/secrets/encryption.ts';
import { deriveKey } from '../../../lib/secrets/secret-key.ts';

export interface KeySeal {
  /** `privateKey`: a JSON Web Key as text. */
  seal(id: string, privateKey: string): Uint8Array;
  /** @throws when SECRET_KEY or the key is not that of the encryption */
  unseal(id: string, sealed: Uint8Array): string;
}

/** Creates the encryption by a key that is derived from SECRET_KEY, bound to the id of the signing key. */
export function createKeySeal(secretKey: string): KeySeal {
  const key = deriveKey(secretKey, 'signing-keys');
  return {
    seal: (id, privateKey) => encrypt({ key, boundTo: id }, Buffer.from(privateKey)),
    unseal: (id, sealed) => Buffer.from(decrypt({ key, boundTo: id }, sealed)).toString(),
  };
}
