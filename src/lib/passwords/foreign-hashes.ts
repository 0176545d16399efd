/**
 * Password hashes of other services, which imported users have until their first login (decision 0018). Verified with
 * their own parameters, and without the pepper, which they cannot depend on.
 */
import { argon2, checkArgon2 } from './foreign/argon2.ts';
import { bcrypt, djangoBcrypt, wordpressBcrypt } from './foreign/bcrypt.ts';
import { firebaseScrypt } from './foreign/firebase-scrypt.ts';
import { type HashKind, UnsupportedHash } from './foreign/hash-kind.ts';
import { pbkdf2 } from './foreign/pbkdf2.ts';
import { phpass } from './foreign/phpass.ts';
import { betterAuth, scrypt } from './foreign/scrypt.ts';
import { shaCrypt } from './foreign/sha-crypt.ts';

export { UnsupportedHash };

const KINDS: readonly HashKind[] = [
  argon2,
  bcrypt,
  djangoBcrypt,
  wordpressBcrypt,
  betterAuth,
  pbkdf2,
  scrypt,
  firebaseScrypt,
  phpass,
  shaCrypt,
];

/** Returns the kind of a stored hash or of its start; undefined if it is our own. */
export function findKind(stored: string): HashKind | undefined {
  return KINDS.find(({ prefix }) => prefix.test(stored));
}

/** Returns the password in the form that the foreign hash was made of; null if the hash is our own. */
export function passwordFor(stored: string, password: string): string | null {
  const kind = findKind(stored);
  if (kind === undefined) return null;
  return kind.normalize?.(password) ?? password;
}

/**
 * Returns a hash of another service as it is to be stored. With `isOwn`, hashes of argon2 are those of an instance of
 * this service with the same pepper. Hashes that an export contains with their markers are accepted as well.
 * @throws UnsupportedHash
 */
export function toStoredHash(given: string, isOwn: boolean): string {
  if (isOwn && given.startsWith('$argon2')) return checkArgon2(given);
  for (const { toStored } of KINDS) {
    const stored = toStored(given);
    if (stored !== null) return stored;
  }
  throw new UnsupportedHash('password_hash is not of a supported kind');
}
