/**
 * The modified scrypt of Firebase: a key that scrypt derives from the password encrypts the signer key of the project.
 * The strings are those of Supabase, which contain the parameters of the project:
 * `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$salt$hash`, all in Base64.
 */
import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { decodeBase64, type HashKind, incompleteHash, SALT } from './hash-kind.ts';
import { checkCost, deriveScrypt } from './scrypt.ts';

const HASH =
  /^\$fbscrypt\$v=1,n=([1-9]\d?),r=([1-9]\d{0,3}),p=([1-9]\d{0,3}),ss=([A-Za-z0-9+/]*=*),sk=([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

const KEY_BYTES = 32;
const SEPARATOR = { min: 0, max: 16 };
const SIGNER_KEY = { min: 32, max: 128 };

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
