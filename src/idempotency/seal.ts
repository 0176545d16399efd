/** Encryption of stored responses. Its key is derived from the Idempotency-Key, which is never stored. */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';
import { decrypt, encrypt } from '../lib/secrets/encryption.ts';

export interface Sealed {
  readonly salt: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Values that a sealed response is bound to: only the same ones unseal it. */
export interface SealContext {
  readonly secret: Uint8Array;
  readonly clientKey: string;
  readonly rowId: string;
}

/** Encrypts a response. */
export function seal(context: SealContext, response: SerializedResponse): Sealed {
  const salt = randomBytes(16);
  const text = Buffer.from(JSON.stringify(response), 'utf8');
  return { salt, sealed: encrypt({ key: toSealKey(context, salt), boundTo: context.rowId }, text) };
}

/** Decrypts a response. @throws when the key, the row or the content is not the one that was sealed */
export function unseal(context: SealContext, { salt, sealed }: Sealed): SerializedResponse {
  const text = decrypt({ key: toSealKey(context, salt), boundTo: context.rowId }, sealed);
  return JSON.parse(Buffer.from(text).toString('utf8'));
}

function toSealKey({ secret, clientKey }: SealContext, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, clientKey, 32));
}
