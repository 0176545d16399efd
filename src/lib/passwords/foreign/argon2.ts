/** argon2 (RFC 9106) in PHC strings, with or without the marker of hashes that do not depend on the pepper. */
import { createRequire } from 'node:module';
import { checkLimit, encodeBase64, type HashKind, incompleteHash, UnsupportedHash } from './hash-kind.ts';

const MARKER = '$foreign';
/** Django puts the name of its hasher before the PHC string. */
const DJANGO = /^argon2(?=\$argon2)/;

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{16,86})$/;
const MEMORY_KIB = { max: 256 * 1024 };
/** Memory times passes: about a second. */
const WORK_KIB = { max: 1024 * 1024 };
/** A pass has a cost of its own, which counts where there is little memory: 65,536 passes of 16 KiB take 10 seconds. */
const PASSES = { max: 64 };
const LANES = { max: 16 };

const require = createRequire(import.meta.url);

export const argon2: HashKind = {
  prefix: /^\$foreign\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$/,
  toStored(given) {
    const hash = given.startsWith(`${MARKER}$`) ? given.slice(MARKER.length) : given.replace(DJANGO, '');
    return hash.startsWith('$argon2') ? `${MARKER}${checkArgon2(hash)}` : null;
  },
  verify(stored, password) {
    // Loaded only when used: most databases have no such hashes.
    const { verifySync } = require('@node-rs/argon2') as typeof import('@node-rs/argon2');
    return verifySync(stored.slice(MARKER.length), password);
  },
  toUnmatched: (prefix) => `${prefix}${UNMATCHED_ARGON2}`,
};

/** Salt and tag of a hash that no password matches. */
export const UNMATCHED_ARGON2 = 'bm9ib2R5IGhhcyB0aGlzIQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export function checkArgon2(hash: string): string {
  const [, memory, passes, lanes, salt = '', tag = ''] = ARGON2.exec(hash) ?? [];
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  if (Number.isNaN(m)) throw incompleteHash('argon2');
  checkLimit(m, MEMORY_KIB, 'memory of argon2 in KiB');
  checkLimit(t, PASSES, 'number of passes of argon2');
  checkLimit(m * t, WORK_KIB, 'memory of argon2 in KiB times its passes');
  checkLimit(p, LANES, 'number of lanes of argon2');
  if (m < 8 * p) throw new UnsupportedHash('the number of lanes of argon2 is too high for its memory');
  if (![salt, tag].every(isCanonicalBase64))
    throw new UnsupportedHash('salt or tag of argon2 is not valid Base64');
  return hash;
}

/** The library rejects text whose last bits are not zero, and so every password. */
const isCanonicalBase64 = (text: string): boolean => encodeBase64(Buffer.from(text, 'base64')) === text;
