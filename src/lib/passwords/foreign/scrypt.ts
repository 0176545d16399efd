/** scrypt (RFC 7914), stored as the PHC string that passlib uses: `$scrypt$ln=14,r=8,p=1$salt$key`. */
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { normalizeShortNfkc } from '../../text/normalize.ts';
import {
  checkLimit,
  decodeBase64,
  encodeBase64,
  type HashKind,
  incompleteHash,
  KEY,
  SALT,
  UnsupportedHash,
} from './hash-kind.ts';

const PHC = /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d{0,3}),p=([1-9]\d{0,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** N times r times p: about 0.7 seconds, with at most 128 MiB. */
const WORK = { max: 2 ** 20 };
const FACTOR = { max: 64 };

interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export const scrypt: HashKind = {
  prefix: /^\$scrypt\$ln=\d+,r=\d+,p=\d+\$/,
  toStored(given) {
    return given.startsWith('$scrypt$') ? fromPhc(given) : null;
  },
  verify(stored, password) {
    const [, ln, r, p, salt = '', key = ''] = PHC.exec(stored)!;
    const expected = Buffer.from(key, 'base64');
    const cost = { ln: Number(ln), r: Number(r), p: Number(p), bytes: expected.length };
    return timingSafeEqual(deriveScrypt(password, Buffer.from(salt, 'base64'), cost), expected);
  },
  toUnmatched: (prefix) => `${prefix}${encodeBase64(Buffer.alloc(16))}$${encodeBase64(Buffer.alloc(64))}`,
};

/** Derives a key with node:crypto, whose own limit of memory is below that of `checkCost`. */
export function deriveScrypt(
  password: string | Uint8Array,
  salt: Uint8Array | string,
  { ln, r, p, bytes }: ScryptCost & { readonly bytes: number },
): Buffer {
  return scryptSync(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: 256 * (2 ** ln * r + r * p) });
}

export function checkCost({ ln, r, p }: ScryptCost): void {
  // RFC 7914, section 2: N is less than 2 to the power of 128 * r / 8.
  if (ln >= 16 * r) throw new UnsupportedHash('the block size of scrypt is too small for its N');
  checkLimit(r, FACTOR, 'block size of scrypt');
  checkLimit(p, FACTOR, 'parallelization of scrypt');
  checkLimit(2 ** ln * r * p, WORK, 'cost of scrypt, N times r times p,');
}

function fromPhc(given: string): string {
  const [, ln, r, p, salt = '', key = ''] = PHC.exec(given) ?? [];
  if (ln === undefined) throw incompleteHash('scrypt');
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  decodeBase64(salt, SALT, 'salt of scrypt');
  return format(cost, salt, key);
}

function format(cost: ScryptCost, salt: string, key: string): string {
  checkCost(cost);
  const bytes = decodeBase64(key, KEY, 'key of scrypt');
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt}$${encodeBase64(bytes)}`;
}

const BETTER_AUTH = '$better-auth$';
const BETTER_AUTH_COST = { ln: 14, r: 16, p: 1, bytes: 64 };

/** scrypt as better-auth and Lucia write it: salt and key, with parameters that it does not state. */
export const betterAuth: HashKind = {
  prefix: /^\$better-auth\$/,
  replacement: '$nfkc',
  toStored(given) {
    const isMarked = given.startsWith(BETTER_AUTH);
    if (!isMarked && !/^[0-9a-fA-F]+:[0-9a-fA-F]*$/.test(given)) return null;
    const hash = isMarked ? given.slice(BETTER_AUTH.length) : given;
    // The salts of Lucia 2 are any text.
    const form = isMarked ? /^[0-9a-zA-Z]{8,64}:[0-9a-fA-F]{128}$/ : /^[0-9a-fA-F]{32}:[0-9a-fA-F]{128}$/;
    if (form.test(hash)) return `${BETTER_AUTH}${hash}`;
    throw new UnsupportedHash('password_hash is not a salt of 16 bytes and a scrypt key of 64 bytes');
  },
  verify(stored, password) {
    const [salt = '', key = ''] = stored.slice(BETTER_AUTH.length).split(':');
    const normalized = typeof password === 'string' ? normalizeShortNfkc(password) : password;
    // better-auth passes the text of the salt to scrypt, not its bytes.
    return timingSafeEqual(deriveScrypt(normalized, salt, BETTER_AUTH_COST), Buffer.from(key, 'hex'));
  },
  toUnmatched: (prefix) => `${prefix}${'0'.repeat(32)}:${'0'.repeat(128)}`,
};
