/**
 * The portable hashes of phpass: `$P$` (WordPress before 6.8, Joomla) and `$H$` (phpBB), iterated MD5. One character
 * is the binary logarithm of the iterations.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { encodeCryptBase64, getCryptValue } from './crypt-base64.ts';
import { checkLimit, type HashKind, incompleteHash } from './hash-kind.ts';

/** The last character has two bits. */
const HASH = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])$/;
/** At most 0.2 to 0.8 seconds. WordPress uses 13, phpBB 11. */
const LOG_ITERATIONS = { min: 7, max: 16 };
/** As in phpass: each iteration reads the password. */
const MAX_PASSWORD_BYTES = 4_096;

export const phpass: HashKind = {
  prefix: /^\$[PH]\$[./0-9A-Za-z]/,
  toStored(given) {
    if (!/^\$[PH]\$/.test(given)) return null;
    const [, cost] = HASH.exec(given) ?? [];
    if (cost === undefined) throw incompleteHash('phpass');
    checkLimit(getCryptValue(cost), LOG_ITERATIONS, 'binary logarithm of the iterations of phpass');
    return given;
  },
  verify(stored, password) {
    const [, cost, salt = '', expected = ''] = HASH.exec(stored)!;
    const given = Buffer.from(password, 'utf8');
    if (given.length > MAX_PASSWORD_BYTES) return false;
    const buffer = Buffer.concat([hash('md5', Buffer.concat([Buffer.from(salt), given]), 'buffer'), given]);
    for (let left = 2 ** getCryptValue(cost!); left > 0; left--) hash('md5', buffer, 'buffer').copy(buffer);
    return timingSafeEqual(Buffer.from(encodeCryptBase64(buffer.subarray(0, 16))), Buffer.from(expected));
  },
  toUnmatched: (prefix) => `${prefix}${'.'.repeat(30)}`,
};
