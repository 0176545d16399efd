/** Secrets that sign deliveries, and their encryption in the database. */
import { randomBytes } from 'node:crypto';
import { createSeal, type SecretSeal } from '../../lib/secrets/encryption.ts';

/** Creates the encryption of secrets, each bound to the id of its endpoint. */
export function createSecretSeal(secretKey: string): SecretSeal {
  return createSeal(secretKey, 'webhook-secrets');
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
