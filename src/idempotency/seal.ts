/**
 * Encryption of stored responses, which contain tokens. The key is derived from the client's Idempotency-Key, which
 * is never stored: neither the database alone nor the database and the server's secret together can decrypt them.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';

export interface Sealed {
  readonly salt: Uint8Array;
  /** Nonce, tag and ciphertext. */
  readonly sealed: Uint8Array;
}

/** Values that a sealed response is bound to: only the same ones unseal it. */
export interface SealContext {
  /** The server's secret. */
  readonly secret: Uint8Array;
  /** The client's Idempotency-Key. */
  readonly clientKey: string;
  readonly rowId: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a response with AES-256-GCM (NIST SP 800-38D). */
export function seal(context: SealContext, response: SerializedResponse): Sealed {
  const salt = randomBytes(16);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', toSealKey(context, salt), nonce).setAAD(rowIdBytes(context));
  const text = Buffer.concat([cipher.update(JSON.stringify(response), 'utf8'), cipher.final()]);
  return { salt, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
}

/** Decrypts a response. @throws when the key, the row or the content is not the one that was sealed */
export function unseal(context: SealContext, stored: Sealed): SerializedResponse {
  const bytes = Buffer.from(stored.sealed);
  const key = toSealKey(context, stored.salt);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(rowIdBytes(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8'));
}

function rowIdBytes({ rowId }: SealContext): Uint8Array {
  return Buffer.from(rowId);
}

function toSealKey({ secret, clientKey }: SealContext, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, clientKey, 32));
}
