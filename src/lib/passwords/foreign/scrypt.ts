/** scrypt (RFC 7914), stored as the PHC string that passlib uses: `$scrypt$ln=14,r=8,p=1$salt$key`, and its variants. */
import { createCipheriv, createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
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
function deriveScrypt(
  password: string | Uint8Array,
  salt: Uint8Array | string,
  { ln, r, p, bytes }: ScryptCost & { readonly bytes: number },
): Buffer {
  return scryptSync(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: 256 * (2 ** ln * r + r * p) });
}

function checkCost({ ln, r, p }: ScryptCost): void {
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

const BYTES = { min: 96, max: 96 };
const SIGNED_BYTES = 64;
const KDF_SALT = { start: 16, end: 48 };
/** Base64 of `scrypt` and the version 0. */
const MAGIC = 'c2NyeXB0A';
const STORED = /^\$scrypt-kdf\$ln=\d+,r=\d+,p=\d+\$/;

function readCost(header: Buffer) {
  return { ln: header.readUInt8(7), r: header.readUInt32BE(8), p: header.readUInt32BE(12) };
}

/**
 * The format of the command `scrypt` of Tarsnap, which scrypt-kdf and Medusa use for passwords: parameters, salt and
 * checksum, signed with a key that scrypt derives. Stored with its parameters: `$scrypt-kdf$ln=15,r=8,p=1$<Base64>`.
 */
export const scryptKdf: HashKind = {
  prefix: STORED,
  toStored(given) {
    const text = given.replace(STORED, '');
    if (!text.startsWith(MAGIC)) return null;
    const header = decodeBase64(text, BYTES, 'hash of scrypt-kdf');
    const { ln, r, p } = readCost(header);
    if (header[6] !== 0 || ln === 0) throw incompleteHash('scrypt-kdf');
    checkCost({ ln, r, p });
    return `$scrypt-kdf$ln=${ln},r=${r},p=${p}$${text}`;
  },
  verify(stored, password) {
    const bytes = Buffer.from(stored.replace(STORED, ''), 'base64');
    const cost = { ...readCost(bytes), bytes: 64 };
    const key = deriveScrypt(password, bytes.subarray(KDF_SALT.start, KDF_SALT.end), cost).subarray(32);
    const mac = createHmac('sha256', key).update(bytes.subarray(0, SIGNED_BYTES)).digest();
    return timingSafeEqual(mac, bytes.subarray(SIGNED_BYTES));
  },
  toUnmatched(prefix) {
    const [ln = 0, r = 0, p = 0] = (prefix.match(/\d+/g) ?? []).map(Number);
    const bytes = Buffer.alloc(BYTES.max);
    bytes.write('scrypt');
    bytes.writeUInt8(ln, 7);
    bytes.writeUInt32BE(r, 8);
    bytes.writeUInt32BE(p, 12);
    return `${prefix}${bytes.toString('base64')}`;
  },
};

const HASH =
  /^\$fbscrypt\$v=1,n=([1-9]\d?),r=([1-9]\d{0,3}),p=([1-9]\d{0,3}),ss=([A-Za-z0-9+/]*=*),sk=([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

const KEY_BYTES = 32;
const SEPARATOR = { min: 0, max: 16 };
const SIGNER_KEY = { min: 32, max: 128 };

/**
 * The modified scrypt of Firebase: a key that scrypt derives from the password encrypts the signer key of the project.
 * The strings are those of Supabase, which contain the parameters of the project:
 * `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$salt$hash`, all in Base64.
 */
export const firebaseScrypt: HashKind = {
  prefix: /^\$fbscrypt\$v=1,n=\d+,r=\d+,p=\d+,/,
  toStored(given) {
    if (!given.startsWith('$fbscrypt$')) return null;
    const [, n, r, p, separator = '', signerKey = '', salt = '', hash = ''] = HASH.exec(given) ?? [];
    if (n === undefined) throw incompleteHash('the scrypt of Firebase');
    checkCost({ ln: Number(n), r: Number(r), p: Number(p) });
    decodeBase64(separator, SEPARATOR, 'salt separator of Firebase');
    decodeBase64(salt, SALT, 'salt of Firebase');
    const { length } = decodeBase64(signerKey, SIGNER_KEY, 'signer key of Firebase');
    decodeBase64(hash, { min: length, max: length }, 'hash of Firebase');
    return given;
  },
  verify(stored, password) {
    const [, n, r, p, ...encoded] = HASH.exec(stored)!;
    const [separator, signerKey, salt, hash] = encoded.map((text) => Buffer.from(text, 'base64'));
    const cost = { ln: Number(n), r: Number(r), p: Number(p), bytes: KEY_BYTES };
    const key = deriveScrypt(password, Buffer.concat([salt!, separator!]), cost);
    const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
    return timingSafeEqual(Buffer.concat([cipher.update(signerKey!), cipher.final()]), hash!);
  },
  toUnmatched(prefix) {
    const [salt, key] = [Buffer.alloc(16), Buffer.alloc(64)].map((bytes) => bytes.toString('base64'));
    return `${prefix}ss=Bw==,sk=${key}$${salt}$${key}`;
  },
};
