import { hkdfSync } from 'node:crypto';

/** A key for one purpose out of the service's secret (HKDF-SHA-256, RFC 5869): purposes cannot be mixed up. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk:${purpose}`, 32));
}
