import { createHmac, hkdfSync } from 'node:crypto';

/** Derives the key for one purpose from SECRET_KEY (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk:${purpose}`, 32));
}

/** Returns an HMAC-SHA-256 function for one purpose, in base64url. */
export function createKeyedHash(secretKey: string, purpose: string): (text: string) => string {
  const key = deriveKey(secretKey, purpose);
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
