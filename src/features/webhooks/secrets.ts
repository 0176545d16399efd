/** Secrets that sign deliveries, and their encryption in the database. */
import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../../lib/secrets/encryption.ts';
import { deriveKey } from '../../lib/secrets/secret-key.ts';

/** Encrypts the secrets of endpoints. */
export interface SecretSeal {
  seal(endpointId: string, secret: Uint8Array): Uint8Array;
  /** @throws when SECRET_KEY or the endpoint is not that of the encryption */
  unseal(endpointId: string, sealed: Uint8Array): Uint8Array;
}

/** Creates the encryption by a key that is derived from SECRET_KEY, bound to the id of the endpoint. */
export function createSecretSeal(secretKey: string): SecretSeal {
  const key = deriveKey(secretKey, 'webhook-secrets');
  return {
    seal: (boundTo, secret) => encrypt({ key, boundTo }, secret),
    unseal: (boundTo, sealed) => decrypt({ key, boundTo }, sealed),
  };
}

/** The specification of Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function newSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** Returns the secret as Standard Webhooks write it. */
export function formatSecret(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}
