/** Authenticated encryption with AES-256-GCM (NIST SP 800-38D), by keys that are derived from SECRET_KEY. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes, and the text that the encrypted bytes are bound to: only the same ones decrypt them. */
interface EncryptionContext {
  readonly key: Uint8Array;
  readonly boundTo: string;
}

/** Encrypts bytes with a random nonce. Returns nonce, tag and ciphertext. */
export function encrypt({ key, boundTo }: EncryptionContext, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts bytes. @throws when key, text or content are not those of the encryption */
export function decrypt({ key, boundTo }: EncryptionContext, encrypted: Uint8Array): Uint8Array {
  const bytes = Buffer.from(encrypted);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Encrypts secrets, each bound to the id of its owner. */
export type SecretSeal = ReturnType<typeof createSeal>;

/** Creates the encryption for one purpose, by a key that is derived from SECRET_KEY. */
export function createSeal(secretKey: string, purpose: SealPurpose) {
  const key = deriveKey(secretKey, purpose);
  return {
    seal: (boundTo: string, secret: Uint8Array) => encrypt({ key, boundTo }, secret),
    /** @throws when SECRET_KEY or the owner is not that of the encryption */
    unseal: (boundTo: string, sealed: Uint8Array) => decrypt({ key, boundTo }, sealed),
  };
}

/** Returns null for a secret that was encrypted by another SECRET_KEY. */
export function tryUnseal(seal: SecretSeal, ownerId: string, sealed: Uint8Array): Uint8Array | null {
  try {
    return seal.unseal(ownerId, sealed);
  } catch {
    return null;
  }
}

/** Derives the key for one purpose from SECRET_KEY (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk:${purpose}`, 32));
}

/** Returns an HMAC-SHA-256 function for one purpose, in base64url. */
export function createKeyedHash(secretKey: string, purpose: string): (text: string) => string {
  const key = deriveKey(secretKey, purpose);
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * Derives what distinguishes the cookies of this instance, the same on all nodes: ports and paths of a host share its
 * cookies (RFC 6265 section 8.5).
 */
export function createCookieTag(secretKey: string, publicUrl: string): string {
  return createKeyedHash(secretKey, 'cookie-tag')(publicUrl).slice(0, 8);
}

/** The setting of the database by whose value it recognizes SECRET_KEY. */
export const KEY_CHECK_SETTING = 'secret_key_check';

/** Derives the value, which identifies the key; the key cannot be computed from it. */
export function createKeyCheck(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, 'check')).toString('hex');
}

/** Columns that are encrypted by keys derived from SECRET_KEY, by the purpose of the key. */
export const SEALED_COLUMNS = {
  'signing-keys': ['signing_keys.private_key'],
  'webhook-secrets': ['webhook_endpoints.secret', 'webhook_endpoints.previous_secret'],
  'totp-secrets': ['credential_totp.secret', 'user_totp.secret'],
  'identity-provider-secrets': ['identity_providers.client_secret'],
  'mail-contents': ['mail_messages.content'],
  'shown-once': ['sign_in_sessions.shown'],
} as const;

export type SealPurpose = keyof typeof SEALED_COLUMNS;
