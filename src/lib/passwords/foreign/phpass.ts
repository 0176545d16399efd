/**
 * The portable hashes of phpass: `$P$` (WordPress before 6.8, Joomla) and `$H$` (phpBB), iterated MD5, and `$S$`
 * (Drupal), iterated SHA-512. One character is the binary logarithm of the iterations.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { checkLimit, encodeCryptBase64, getCryptValue, type HashKind, incompleteHash } from './hash-kind.ts';
import { listWordPressForms } from './prehash.ts';

/** The last character of a digest of MD5 has two bits; that of SHA-512 is cut off. */
const HASH =
  /^\$([PHS])\$([./0-9A-Za-z])([./0-9A-Za-z]{8})((?<=^\$[PH].*)[./0-9A-Za-z]{21}[./01]|(?<=^\$S.*)[./0-9A-Za-z]{43})$/;
/** At most 0.2 to 0.8 seconds. WordPress uses 13, phpBB 11. */
const LOG_ITERATIONS = { min: 7, max: 16 };
/** As in phpass: each iteration reads the password. */
const MAX_PASSWORD_BYTES = 4_096;

export const phpass: HashKind = {
  prefix: /^\$[PHS]\$[./0-9A-Za-z]/,
  replacement: '$trim',
  toStored(given) {
    if (!/^\$[PHS]\$/.test(given)) return null;
    const [, , cost] = HASH.exec(given) ?? [];
    if (cost === undefined) throw incompleteHash('phpass');
    checkLimit(getCryptValue(cost), LOG_ITERATIONS, 'binary logarithm of the iterations of phpass');
    return given;
  },
  verify(stored, password) {
    const forms = typeof password === 'string' ? listWordPressForms(password) : [password];
    return forms.some((form) => isMatch(stored, Buffer.from(form)));
  },
  toUnmatched: (prefix) => `${prefix}${'.'.repeat(prefix.startsWith('$S') ? 51 : 30)}`,
};

function isMatch(stored: string, password: Buffer): boolean {
  const [, id, cost, salt = '', expected = ''] = HASH.exec(stored)!;
  if (password.length > MAX_PASSWORD_BYTES) return false;
  const algorithm = id === 'S' ? 'sha512' : 'md5';
  const salted = Buffer.concat([Buffer.from(salt), password]);
  const buffer = Buffer.concat([hash(algorithm, salted, 'buffer'), password]);
  for (let left = 2 ** getCryptValue(cost!); left > 0; left--) hash(algorithm, buffer, 'buffer').copy(buffer);
  const digest = buffer.subarray(0, buffer.length - password.length);
  const text = encodeCryptBase64(digest).slice(0, expected.length);
  return timingSafeEqual(Buffer.from(text), Buffer.from(expected));
}
