/**
 * Digests of salt and password that cost an attacker nothing. Stored as `$digest-<rule>$<salt>$<digest>`, both in Base64
 * without padding.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { decodeBase64, encodeBase64, type HashKind, incompleteHash } from './hash-kind.ts';

type Derive = (parts: Readonly<Record<'salt' | 'password', Buffer>>, digest: Digest) => Buffer;
type Digest = (...parts: readonly Uint8Array[]) => Buffer;

const DIGEST_BYTES = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };
const SALT = { min: 0, max: 64 };
/** Each round of Symfony reads the password. */
const MAX_PASSWORD_BYTES = 4_096;

const hex = (bytes: Buffer) => Buffer.from(bytes.toString('hex'));
const saltFirst: Derive = ({ salt, password }, digest) => digest(salt, password);
const saltLast: Derive = ({ salt, password }, digest) => digest(password, salt);

/** By who writes them; of two with the same rule, the better known. */
const RULES = {
  'django-md5': ['md5', saltFirst],
  'django-sha1': ['sha1', saltFirst],
  'ldap-sha1': ['sha1', saltLast],
  'ldap-sha256': ['sha256', saltLast],
  'ldap-sha512': ['sha512', saltLast],
  'request-tracker': ['sha512', saltFirst],
  mediawiki: ['md5', ({ salt, password }, digest) => digest(salt, Buffer.from('-'), hex(digest(password)))],
  redmine: ['sha1', ({ salt, password }, digest) => digest(salt, hex(digest(password)))],
  symfony: [
    'sha512',
    ({ salt, password }, digest) => {
      const salted = Buffer.concat([password, Buffer.from('{'), salt, Buffer.from('}')]);
      let result = digest(salted);
      for (let round = 1; round < 5_000; round++) result = digest(result, salted);
      return result;
    },
  ],
} satisfies Record<string, readonly ['md5' | 'sha1' | 'sha256' | 'sha512', Derive]>;

export type DigestRule = keyof typeof RULES;

const STORED = /^\$digest-([a-z0-9-]+)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]+)$/;

export const saltedDigest: HashKind = {
  prefix: /^\$digest-[a-z0-9-]+\$/,
  toStored(given) {
    if (!given.startsWith('$digest-')) return null;
    const [, rule, salt = '', digest = ''] = STORED.exec(given) ?? [];
    if (rule === undefined || !Object.hasOwn(RULES, rule)) throw incompleteHash('a salted digest');
    const bytes = DIGEST_BYTES[RULES[rule as DigestRule][0]];
    decodeBase64(salt, SALT, 'salt of the digest');
    decodeBase64(digest, { min: bytes, max: bytes }, 'salted digest');
    return given;
  },
  verify(stored, password) {
    const [, rule, salt = '', expected = ''] = STORED.exec(stored)!;
    const given = Buffer.from(password);
    if (given.length > MAX_PASSWORD_BYTES) return false;
    const [algorithm, derive] = RULES[rule as DigestRule];
    const parts = { salt: Buffer.from(salt, 'base64'), password: given };
    const digest = derive(parts, (...all) => hash(algorithm, Buffer.concat(all), 'buffer'));
    return timingSafeEqual(digest, Buffer.from(expected, 'base64'));
  },
  toUnmatched(prefix) {
    const [algorithm] = RULES[prefix.slice('$digest-'.length, -1) as DigestRule];
    return `${prefix}$${encodeBase64(Buffer.alloc(DIGEST_BYTES[algorithm]))}`;
  },
};

/** `salt` and `digest` are Base64 without padding. */
export const formatDigest = (rule: DigestRule, salt: string, digest: string) =>
  `$digest-${rule}$${salt}$${digest}`;
