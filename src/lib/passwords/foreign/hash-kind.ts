/** Interface of the kinds of password hashes of other services. */

/** The hash is not one that a login could verify within the bounds. The message never contains it. */
export class UnsupportedHash extends Error {
  override name = 'UnsupportedHash';
}

/** A kind of password hash of other services. Stored hashes begin with their parameters, which `prefix` matches. */
export interface HashKind {
  readonly prefix: RegExp;
  /**
   * Returns the stored form of a hash in a form of this kind, or null for another kind.
   * @throws UnsupportedHash if it is malformed, or if its verification would cost too much
   */
  toStored(given: string): string | null;
  /** Returns whether the password matches, or in which other reading it does. Takes long: for the hashing threads. */
  verify(stored: string, password: string | Uint8Array): boolean | Reading;
  /** Returns a valid hash with these parameters that no password matches. */
  toUnmatched(prefix: string): string;
  /** The marker of the hash that replaces one of this kind (`prehash.ts`); without it none. */
  readonly replacement?: '$nfkc' | '$trim';
}

/** How a password matches that does not as it was typed, or only in part. */
export type Reading =
  /** What follows byte 72 is ignored: the whole password may be another one. */
  'the first 72 bytes' | 'Base64 of SHA-512 (Symfony)' | 'SHA-512 (Bun)';

export function incompleteHash(kind: string): UnsupportedHash {
  return new UnsupportedHash(`password_hash is not a complete hash of ${kind}`);
}

/** Bytes of the salts and keys of PBKDF2 and scrypt. */
export const SALT = { min: 1, max: 64 };
export const KEY = { min: 16, max: 128 };

/** Decodes Base64 with or without padding, in the standard alphabet only. @throws UnsupportedHash */
export function decodeBase64(text: string, { min, max }: typeof SALT, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('=') ? bytes.toString('base64') : encodeBase64(bytes);
  // The decoder of Node ignores what is not Base64, and bits beyond the last byte.
  if (padding !== text) throw new UnsupportedHash(`the ${what} is not valid Base64`);
  if (bytes.length < min || bytes.length > max)
    throw new UnsupportedHash(`the ${what} does not have ${min} to ${max} bytes`);
  return bytes;
}

/** Returns Base64 without padding, as PHC strings have it. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** @throws UnsupportedHash if the number is not within the limits */
export function checkLimit(value: number, { min = 1, max }: { min?: number; max: number }, what: string) {
  if (value > max) throw new UnsupportedHash(`the ${what} is more than ${max}`);
  if (value < min) throw new UnsupportedHash(`the ${what} is less than ${min}`);
}

/** The Base64 of crypt(3): groups of three bytes, the lowest bits first, in an alphabet of its own. */
const CRYPT_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the value of a character; -1 if it is not one of the alphabet. */
export const getCryptValue = (character: string): number => CRYPT_ALPHABET.indexOf(character);

export function encodeCryptBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const group = bytes.subarray(index, index + 3);
    const value = group[0]! | ((group[1] ?? 0) << 8) | ((group[2] ?? 0) << 16);
    for (let position = 0; position <= group.length; position++)
      text += CRYPT_ALPHABET[(value >> (6 * position)) & 63];
  }
  return text;
}
