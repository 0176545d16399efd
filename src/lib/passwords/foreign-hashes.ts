/**
 * Password hashes of other services, as the database stores them until the first login replaces them: bcrypt
 * unchanged, argon2 and the scrypt of better-auth behind a marker. A hash of argon2 without the marker is our own,
 * which depends on the pepper and on the NFC form of the password.
 */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { normalizeShortNfkc } from '../text/normalize.ts';

const ARGON2_MARKER = '$foreign';
const BETTER_AUTH_MARKER = '$better-auth$';
const BCRYPT = /^\$2[aby]\$/;

/** Parameters of better-auth, which its hashes do not state. */
const SCRYPT = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
const SCRYPT_KEY_BYTES = 64;

export function isForeign(stored: string): boolean {
  return stored.startsWith(ARGON2_MARKER) || stored.startsWith(BETTER_AUTH_MARKER) || BCRYPT.test(stored);
}

/** Returns the password in the form that the foreign hash was made of; null if the hash is our own. */
export function passwordFor(stored: string, password: string): string | null {
  if (stored.startsWith(BETTER_AUTH_MARKER)) return normalizeShortNfkc(password);
  // The others hash what the client has sent.
  return isForeign(stored) ? password : null;
}

/** Verifies a password in the form of `passwordFor`. Takes long: for the hashing threads. */
export function verifyForeign(stored: string, password: string): boolean {
  if (stored.startsWith(BETTER_AUTH_MARKER))
    return verifyScrypt(stored.slice(BETTER_AUTH_MARKER.length), password);
  // Loaded only when used: most databases have no such hashes.
  if (stored.startsWith(ARGON2_MARKER)) {
    const { verifySync } = require('@node-rs/argon2') as typeof import('@node-rs/argon2');
    return verifySync(stored.slice(ARGON2_MARKER.length), password);
  }
  return bcrypt().verifySync(password, stored);
}

const require = createRequire(import.meta.url);

function bcrypt() {
  return require('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt');
}

/** better-auth passes the hexadecimal text of the salt to scrypt, not its bytes. */
function verifyScrypt(hash: string, password: string): boolean {
  const [salt = '', key = ''] = hash.split(':');
  const derived = scryptSync(password, salt, SCRYPT_KEY_BYTES, SCRYPT);
  return timingSafeEqual(derived, Buffer.from(key, 'hex'));
}

/** The hash is not one that a login could verify within the bounds. The message never contains it. */
export class UnsupportedHash extends Error {
  override name = 'UnsupportedHash';
}

/**
 * Returns a hash of another service as it is to be stored. With `isOwn`, hashes of argon2 are those of an instance of
 * this service with the same pepper. Hashes that an export contains with their markers are accepted as well.
 * @throws UnsupportedHash
 */
export function toStoredHash(given: string, isOwn: boolean): string {
  if (BCRYPT.test(given)) return checkBcrypt(given);
  if (given.startsWith(BETTER_AUTH_MARKER) || /^[0-9a-fA-F]+:/.test(given)) {
    const hash = given.startsWith(BETTER_AUTH_MARKER) ? given.slice(BETTER_AUTH_MARKER.length) : given;
    return `${BETTER_AUTH_MARKER}${checkScrypt(hash)}`;
  }
  const isMarked = given.startsWith(`${ARGON2_MARKER}$`);
  const hash = checkArgon2(isMarked ? given.slice(ARGON2_MARKER.length) : given);
  return isOwn && !isMarked ? hash : `${ARGON2_MARKER}${hash}`;
}

const MIN_BCRYPT_COST = 4;
/** A verification takes about a second. */
const MAX_BCRYPT_COST = 14;

function checkBcrypt(hash: string): string {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? [];
  if (cost === undefined) throw new UnsupportedHash('password_hash is not a complete hash of bcrypt');
  if (Number(cost) > MAX_BCRYPT_COST)
    throw new UnsupportedHash(`the cost of bcrypt is more than ${MAX_BCRYPT_COST}`);
  if (Number(cost) < MIN_BCRYPT_COST)
    throw new UnsupportedHash(`the cost of bcrypt is less than ${MIN_BCRYPT_COST}, which no library accepts`);
  return hash;
}

function checkScrypt(hash: string): string {
  if (/^[0-9a-fA-F]{32}:[0-9a-fA-F]{128}$/.test(hash)) return hash;
  throw new UnsupportedHash('password_hash is not a salt of 16 bytes and a scrypt key of 64 bytes');
}

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{16,86})$/;
const MAX_MEMORY_KIB = 256 * 1024;
/** Memory times passes: about a second. */
const MAX_WORK_KIB = 1024 * 1024;
/** A pass has a cost of its own, which counts where there is little memory: 65,536 passes of 16 KiB take 10 seconds. */
const MAX_PASSES = 64;
const MAX_LANES = 16;

function checkArgon2(hash: string): string {
  const [, memory, passes, lanes, salt = '', tag = ''] = ARGON2.exec(hash) ?? [];
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  if (Number.isNaN(m))
    throw new UnsupportedHash('password_hash is not a hash of argon2, bcrypt or better-auth');
  if (m > MAX_MEMORY_KIB)
    throw new UnsupportedHash(`the memory of argon2 is more than ${MAX_MEMORY_KIB} KiB`);
  if (t > MAX_PASSES) throw new UnsupportedHash(`the passes of argon2 are more than ${MAX_PASSES}`);
  if (m * t > MAX_WORK_KIB)
    throw new UnsupportedHash('the memory times the passes of argon2 are more than 1 GiB');
  if (p > MAX_LANES || m < 8 * p) throw new UnsupportedHash('the number of lanes of argon2 is too high');
  if (![salt, tag].every(isCanonicalBase64))
    throw new UnsupportedHash('salt or tag of argon2 is not valid Base64');
  return hash;
}

/** The library rejects text whose last bits are not zero, and so every password. */
function isCanonicalBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text;
}
