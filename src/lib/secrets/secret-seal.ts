/** Encryption of secrets that the service has to read again. */
import { decrypt, encrypt } from './encryption.ts';
import { deriveKey } from './secret-key.ts';

/** Encrypts secrets, each bound to the id of its owner. */
export interface SecretSeal {
  seal(ownerId: string, secret: Uint8Array): Uint8Array;
  /** @throws when SECRET_KEY or the owner is not that of the encryption */
  unseal(ownerId: string, sealed: Uint8Array): Uint8Array;
}

/** Creates the encryption for one purpose, by a key that is derived from SECRET_KEY. */
export function createSeal(secretKey: string, purpose: string): SecretSeal {
  const key = deriveKey(secretKey, purpose);
  return {
    seal: (boundTo, secret) => encrypt({ key, boundTo }, secret),
    unseal: (boundTo, sealed) => decrypt({ key, boundTo }, sealed),
  };
}
