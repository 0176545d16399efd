import { createHmac, hkdfSync } from 'node:crypto';

/** A key for one purpose out of the service's secret (HKDF-SHA-256, RFC 5869): purposes cannot be mixed up. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk:${purpose}`, 32));
}

/** HMAC-SHA-256 for one purpose, in base64url: what was hashed cannot be found by trying without the secret. */
export function keyedHash(secretKey: string, purpose: string): (text: string) => string {
  const key = deriveKey(secretKey, purpose);
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
