/**
 * Password hashes of other services, which imported users have until their first login (decision 0018). Verified with
 * their own parameters, and without the pepper, which they cannot depend on.
 */
import { argon2, checkArgon2 } from './foreign/argon2.ts';
import { bcrypt } from './foreign/bcrypt.ts';
import { type HashKind, type Reading, UnsupportedHash } from './foreign/hash-kind.ts';
import { describeUnsupported, rewriteHash } from './foreign/notations.ts';
import { pbkdf2 } from './foreign/pbkdf2.ts';
import { phpass } from './foreign/phpass.ts';
import { joinPrehash, type PrehashName, splitPrehash } from './foreign/prehash.ts';
import { saltedDigest } from './foreign/salted-digests.ts';
import { betterAuth, firebaseScrypt, scrypt, scryptKdf } from './foreign/scrypt.ts';
import { md5Crypt, shaCrypt } from './foreign/sha-crypt.ts';

export { UnsupportedHash };

const KINDS: readonly HashKind[] = [
  argon2,
  bcrypt,
  betterAuth,
  pbkdf2,
  scrypt,
  scryptKdf,
  firebaseScrypt,
  phpass,
  shaCrypt,
  md5Crypt,
  saltedDigest,
];

/** Returns the kind of a stored hash or of its start, without the marker of `splitPrehash`; undefined if it is our own. */
export function findKind(inner: string): HashKind | undefined {
  return KINDS.find(({ prefix }) => prefix.test(inner));
}

/**
 * Returns whether a password matches a stored hash, or in which other reading. `verifyOwn` verifies hashes of our own.
 * Takes long: for the hashing threads.
 */
export function verifyHash(
  stored: string,
  password: string,
  verifyOwn: (hash: string, password: string) => boolean,
): boolean | Reading {
  const { inner, listForms } = splitPrehash(stored);
  const kind = findKind(inner);
  for (const form of listForms(password)) {
    const reading = kind === undefined ? verifyOwn(inner, String(form)) : kind.verify(inner, form);
    // The pepper that is behind byte 72 has no effect, and the password counts as a whole.
    const isWhole = reading === 'the first 72 bytes' && Buffer.byteLength(password) < 72;
    if (reading !== false) return isWhole || reading;
  }
  return false;
}

/** Returns whether a stored hash is our own, and the marker of the hash that replaces it: what matches still does. */
export function describeStored(stored: string) {
  const { inner, replacement } = splitPrehash(stored);
  const kind = findKind(inner);
  return { isOwn: kind === undefined, marker: replacement || (kind?.replacement ?? '') };
}

/** What the other service hashes in place of the password, where the hash does not show it. */
export interface GivenPrehash {
  readonly name: PrehashName;
  readonly argument: string;
}

export interface GivenHash {
  readonly hash: string;
  /** The salt of a column of its own, or null. */
  readonly salt?: string | null;
  readonly prehash?: GivenPrehash | null;
  /** Hashes of argon2 are those of an instance of this service with the same pepper. */
  readonly isOwn?: boolean;
}

/**
 * Returns a hash of another service as it is to be stored. Hashes that an export contains with their markers are
 * accepted as well.
 * @throws UnsupportedHash
 */
export function toStoredHash({ hash, salt = null, prehash = null, isOwn = false }: GivenHash): string {
  const { marker, inner, argument } = splitPrehash(rewriteHash(hash, salt));
  const stored = isOwn && inner.startsWith('$argon2') ? checkArgon2(inner) : toStoredInner(inner);
  if (prehash !== null && marker === '') return joinPrehash(prehash.name, stored, prehash.argument);
  return `${marker}${stored}${argument === '' ? '' : `#${argument}`}`;
}

function toStoredInner(given: string): string {
  for (const kind of KINDS) {
    const stored = kind.toStored(given);
    if (stored !== null) return stored;
  }
  throw new UnsupportedHash(describeUnsupported(given));
}

/** Returns whether a stored hash resists no attacker. */
export function isWeakHash(stored: string): boolean {
  return /^\$(?:digest-|1\$|apr1\$)/.test(stored) && !stored.startsWith('$digest-symfony');
}
