/** scrypt as better-auth writes it: `salt:key` in hexadecimal digits, with parameters that it does not state. */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { normalizeShortNfkc } from '../../text/normalize.ts';
import { type HashKind, UnsupportedHash } from './hash-kind.ts';

const MARKER = '$better-auth$';
const PARAMETERS = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
const KEY_BYTES = 64;

export const betterAuth: HashKind = {
  prefix: /^\$better-auth\$/,
  toStored(given) {
    const isMarked = given.startsWith(MARKER);
    if (!isMarked && !/^[0-9a-fA-F]+:/.test(given)) return null;
    const hash = isMarked ? given.slice(MARKER.length) : given;
    if (/^[0-9a-fA-F]{32}:[0-9a-fA-F]{128}$/.test(hash)) return `${MARKER}${hash}`;
    throw new UnsupportedHash('password_hash is not a salt of 16 bytes and a scrypt key of 64 bytes');
  },
  verify(stored, password) {
    const [salt = '', key = ''] = stored.slice(MARKER.length).split(':');
    // better-auth passes the hexadecimal text of the salt to scrypt, not its bytes.
    return timingSafeEqual(scryptSync(password, salt, KEY_BYTES, PARAMETERS), Buffer.from(key, 'hex'));
  },
  toUnmatched: (prefix) => `${prefix}${'0'.repeat(32)}:${'0'.repeat(128)}`,
  normalize: normalizeShortNfkc,
};
