/** The iterated MD5 of crypt(3), `$1$`, and of htpasswd of Apache, `$apr1$`. 1,000 rounds: weak. */
import { hash, timingSafeEqual } from 'node:crypto';
import { encodeCryptBase64, type HashKind, incompleteHash } from './hash-kind.ts';
import { iterate } from './sha-crypt.ts';

/** The last character has two bits. */
const HASH = /^(\$(?:1|apr1)\$)([^$]{0,8})\$([./0-9A-Za-z]{21}[./01])$/;
const ROUNDS = 1_000;
/** The cost of the first step grows with the length, and each round reads the password up to twice. */
const MAX_PASSWORD_BYTES = 256;
/** The order of the bytes of the digest in the text. */
const ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11];

const md5 = (parts: readonly Uint8Array[]) => hash('md5', Buffer.concat(parts), 'buffer');

export const md5Crypt: HashKind = {
  prefix: /^\$(?:1|apr1)\$/,
  toStored(given) {
    if (!this.prefix.test(given)) return null;
    if (!HASH.test(given)) throw incompleteHash('MD5-crypt');
    return given;
  },
  verify(stored, password) {
    const [, magic = '', salt = '', expected = ''] = HASH.exec(stored)!;
    const given = Buffer.from(password);
    if (given.length > MAX_PASSWORD_BYTES) return false;
    const digest = derive(given, Buffer.from(salt), magic);
    const text = encodeCryptBase64(Buffer.from(ORDER.map((index) => digest[index]!)));
    return timingSafeEqual(Buffer.from(text), Buffer.from(expected));
  },
  toUnmatched: (prefix) => `${prefix}nobody$${'.'.repeat(22)}`,
};

function derive(password: Buffer, salt: Buffer, magic: string): Buffer {
  const fill = Buffer.alloc(password.length, md5([password, salt, password]));
  const parts = [password, Buffer.from(magic), salt, fill];
  for (let bits = password.length; bits > 0; bits >>>= 1)
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  return iterate({ name: 'md5', bytes: 16 }, ROUNDS, { a: md5(parts), p: password, s: salt });
}
