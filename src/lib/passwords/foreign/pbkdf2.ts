/**
 * PBKDF2 (RFC 8018) with HMAC of SHA-1, SHA-256 or SHA-512, stored as PHC string: `$pbkdf2-sha256$i=…,l=…$salt$key`.
 * Accepts that, and the strings of passlib (`$pbkdf2-sha256$29000$…`, with `.` for `+` in Base64; `$pbkdf2$` is SHA-1).
 */
import { pbkdf2Sync, timingSafeEqual } from 'node:crypto';
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

const PHC =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?([1-9]\d{0,9})(?:,l=([1-9]\d{0,2}))?\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/;

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 };

/** With SHA-512 about 1.3 seconds, with the others half of it. Django 6 uses 1,200,000. */
const ITERATIONS = { max: 2_000_000 };

export const pbkdf2: HashKind = {
  prefix: /^\$pbkdf2-sha(?:1|256|512)\$i=\d+,l=\d+\$/,
  toStored(given) {
    return given.startsWith('$pbkdf2') ? fromPhc(given) : null;
  },
  verify(stored, password) {
    const [, digest = '', iterations, , salt = '', key = ''] = PHC.exec(stored)!;
    const expected = Buffer.from(key, 'base64');
    const bytes = Buffer.from(salt, 'base64');
    const derived = pbkdf2Sync(password, bytes, Number(iterations), expected.length, digest);
    return timingSafeEqual(derived, expected);
  },
  toUnmatched(prefix) {
    const length = Number(/l=(\d+)/.exec(prefix)![1]);
    return `${prefix}${encodeBase64(Buffer.alloc(16))}$${encodeBase64(Buffer.alloc(length))}`;
  },
};

function fromPhc(given: string): string {
  const [, digest = 'sha1', iterations, length, salt = '', key = ''] = PHC.exec(given) ?? [];
  if (iterations === undefined) throw incompleteHash('PBKDF2');
  const bytes = {
    salt: decodeBase64(salt.replaceAll('.', '+'), SALT, 'salt of PBKDF2'),
    key: decodeBase64(key.replaceAll('.', '+'), KEY, 'key of PBKDF2'),
  };
  if (length !== undefined && Number(length) !== bytes.key.length)
    throw new UnsupportedHash('the key of PBKDF2 does not have the stated length');
  return format(digest, Number(iterations), bytes);
}

function format(digest: string, iterations: number, { salt, key }: { salt: Uint8Array; key: Uint8Array }) {
  // Each block of the key costs all iterations.
  const blocks = Math.ceil(key.length / DIGEST_BYTES[digest as keyof typeof DIGEST_BYTES]);
  checkLimit(iterations * blocks, ITERATIONS, 'number of iterations of PBKDF2 for all blocks of the key');
  return `$pbkdf2-${digest}$i=${iterations},l=${key.length}$${encodeBase64(salt)}$${encodeBase64(key)}`;
}
