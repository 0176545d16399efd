/**
 * SHA-256-crypt (`$5$`) and SHA-512-crypt (`$6$`) of crypt(3), by the specification "Unix crypt using SHA-256 and
 * SHA-512" of Ulrich Drepper, version 0.6. Stored with the number of rounds, also where it is the default. MD5-crypt,
 * whose digest is derived alike, is here, too.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { checkLimit, encodeCryptBase64, type HashKind, incompleteHash } from './hash-kind.ts';

const HASH = /^\$([56])\$(?:rounds=([1-9]\d{0,9})\$)?([^$]{0,16})\$([./0-9A-Za-z]+)$/;
const DEFAULT_ROUNDS = 5_000;
/** crypt(3) makes no hashes with fewer, and 5,000 unless it is configured. The most take about a second. */
const ROUNDS = { min: 1_000, max: 200_000 };
/** The cost of the first step is the square of the length, and each round reads the password up to three times. */
const MAX_PASSWORD_BYTES = 256;

interface Algorithm {
  readonly name: 'sha256' | 'sha512';
  readonly bytes: number;
  /** The last character of the text has fewer bits than the others. */
  readonly format: RegExp;
  /** The order of the bytes of the digest in the text. */
  readonly order: readonly number[];
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  5: { name: 'sha256', bytes: 32, format: /^.{42}[./0-9A-D]$/, order: [...listTriples(10, 1), 30, 31] },
  6: { name: 'sha512', bytes: 64, format: /^.{85}[./01]$/, order: [...listTriples(21, 2), 63] },
};

export const shaCrypt: HashKind = {
  prefix: /^\$[56]\$rounds=\d+\$/,
  toStored(given) {
    if (!/^\$[56]\$/.test(given)) return null;
    const [, id = '', rounds = DEFAULT_ROUNDS, salt = '', text = ''] = HASH.exec(given) ?? [];
    if (!ALGORITHMS[id]?.format.test(text) || !/^[\x21-\x7e]*$/.test(salt))
      throw incompleteHash('SHA-256-crypt or SHA-512-crypt');
    checkLimit(Number(rounds), ROUNDS, 'number of rounds of SHA-crypt');
    return `$${id}$rounds=${rounds}$${salt}$${text}`;
  },
  verify(stored, password) {
    const [, id, rounds, salt = '', expected = ''] = HASH.exec(stored)!;
    const given = Buffer.from(password);
    if (given.length > MAX_PASSWORD_BYTES) return false;
    const algorithm = ALGORITHMS[id!]!;
    const digest = derive(algorithm, { password: given, salt: Buffer.from(salt), rounds: Number(rounds) });
    const text = encodeCryptBase64(Buffer.from(algorithm.order.map((index) => digest[index]!)));
    return timingSafeEqual(Buffer.from(text), Buffer.from(expected));
  },
  toUnmatched: (prefix) => `${prefix}nobodyhasthis$${'.'.repeat(prefix.startsWith('$5') ? 43 : 86)}`,
};

/** Returns the triples (2n + i, n + i, i), each rotated further than the previous one. */
function listTriples(n: number, rotation: number): number[] {
  return Array.from({ length: n }, (_, index) => {
    const triple = [2 * n + index, n + index, index];
    const start = (index * rotation) % 3;
    return [...triple.slice(start), ...triple.slice(0, start)];
  }).flat();
}

/** The names A, B, P and S are those of the specification. */
function derive(
  algorithm: Algorithm,
  { password, salt, rounds }: { readonly password: Buffer; readonly salt: Buffer; readonly rounds: number },
): Buffer {
  const digest = (...parts: Uint8Array[]) => hash(algorithm.name, Buffer.concat(parts), 'buffer');
  const b = digest(password, salt, password);
  const parts = [password, salt, fill(b, password.length)];
  for (let bits = password.length; bits > 0; bits >>>= 1) parts.push(bits & 1 ? b : password);
  const a = digest(...parts);
  const p = fill(digest(...Array<Buffer>(password.length).fill(password)), password.length);
  const s = fill(digest(...Array<Buffer>(16 + a[0]!).fill(salt)), salt.length);
  return iterate(algorithm, rounds, { a, p, s });
}

const fill = (digest: Buffer, length: number): Buffer => Buffer.alloc(length, digest);

/** Derives the digest as MD5-crypt does, too. The inputs repeat after 42 rounds, except for the digest of the round before, which is copied into them. */
function iterate(
  { name, bytes }: { readonly name: 'md5' | Algorithm['name']; readonly bytes: number },
  rounds: number,
  { a, p, s }: Record<'a' | 'p' | 's', Buffer>,
): Buffer {
  const space = Buffer.alloc(bytes);
  const inputs = Array.from({ length: 42 }, (_, round) => {
    const isOdd = round % 2 === 1;
    const middle = [...(round % 3 === 0 ? [] : [s]), ...(round % 7 === 0 ? [] : [p])];
    const input = Buffer.concat(isOdd ? [p, ...middle, space] : [space, ...middle, p]);
    return { input, offset: isOdd ? input.length - bytes : 0 };
  });
  let digest = a;
  for (let round = 0; round < rounds; round++) {
    const { input, offset } = inputs[round % 42]!;
    digest.copy(input, offset);
    digest = hash(name, input, 'buffer');
  }
  return digest;
}

/** The last character has two bits. */
const MD5_HASH = /^(\$(?:1|apr1)\$)([^$]{0,8})\$([./0-9A-Za-z]{21}[./01])$/;
const MD5_ROUNDS = 1_000;
/** The order of the bytes of the digest in the text. */
const MD5_ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11];

const md5 = (parts: readonly Uint8Array[]) => hash('md5', Buffer.concat(parts), 'buffer');

/** The iterated MD5 of crypt(3), `$1$`, and of htpasswd of Apache, `$apr1$`. 1,000 rounds: weak. */
export const md5Crypt: HashKind = {
  prefix: /^\$(?:1|apr1)\$/,
  toStored(given) {
    if (!this.prefix.test(given)) return null;
    if (!MD5_HASH.test(given)) throw incompleteHash('MD5-crypt');
    return given;
  },
  verify(stored, password) {
    const [, magic = '', salt = '', expected = ''] = MD5_HASH.exec(stored)!;
    const given = Buffer.from(password);
    if (given.length > MAX_PASSWORD_BYTES) return false;
    const digest = deriveMd5(given, Buffer.from(salt), magic);
    const text = encodeCryptBase64(Buffer.from(MD5_ORDER.map((index) => digest[index]!)));
    return timingSafeEqual(Buffer.from(text), Buffer.from(expected));
  },
  toUnmatched: (prefix) => `${prefix}nobody$${'.'.repeat(22)}`,
};

function deriveMd5(password: Buffer, salt: Buffer, magic: string): Buffer {
  const fill = Buffer.alloc(password.length, md5([password, salt, password]));
  const parts = [password, Buffer.from(magic), salt, fill];
  for (let bits = password.length; bits > 0; bits >>>= 1)
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  return iterate({ name: 'md5', bytes: 16 }, MD5_ROUNDS, { a: md5(parts), p: password, s: salt });
}
