/**
 * Stored answers carry tokens, so they are sealed under a key that comes from the client's Idempotency-Key,
 * which is never stored: the database opens nothing, also not together with the server's secret.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SerializedResponse } from '../route.ts';

export interface Sealed {
  readonly salt: Uint8Array;
  /** Nonce, tag and ciphertext. */
  readonly sealed: Uint8Array;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM (NIST SP 800-38D), bound to the row that it is stored in. */
export function seal(
  secret: Uint8Array,
  clientKey: string,
  rowId: string,
  answer: SerializedResponse,
): Sealed {
  const salt = randomBytes(16);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, clientKey, salt), nonce).setAAD(
    Buffer.from(rowId),
  );
  const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return { salt, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
}

/** @throws when the key, the row or the content is not the one that was sealed */
export function unseal(
  secret: Uint8Array,
  clientKey: string,
  rowId: string,
  stored: Sealed,
): SerializedResponse {
  const bytes = Buffer.from(stored.sealed);
  const key = keyOf(secret, clientKey, stored.salt);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8'));
}

function keyOf(secret: Uint8Array, clientKey: string, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, clientKey, 32));
}
