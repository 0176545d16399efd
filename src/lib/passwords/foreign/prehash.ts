/**
 * What some services hash in place of the password. A stored hash of them begins with a marker, as `$wp` of
 * `$wp$2y$12$…`, and ends with the argument of the function if it has one: `$suffix$2b$12$…#<Base64 for URLs>`.
 */
import { createHmac, hash } from 'node:crypto';
import { normalizeNfc, normalizeShortNfkc, normalizeShortNfkd } from '../../text/normalize.ts';

/** Returns the forms of a password that may have been hashed, the most likely first. Bytes are a digest. */
type Prehash = (password: string, argument: string) => readonly (string | Uint8Array)[];

const hex = (algorithm: string, text: string) => Buffer.from(hash(algorithm, text));
const mac = (algorithm: string, key: string, text: string) =>
  Buffer.from(createHmac(algorithm, key).update(text).digest('base64'));

const PREHASHES = {
  nfc: (password) => [normalizeNfc(password)],
  nfkc: (password) => [normalizeShortNfkc(password)],
  trim: (password) => [password.trim()],
  'sha256-hex': (password) => [hex('sha256', password)],
  /** BCryptSHA256PasswordHasher of Django. */
  'django-bcrypt-sha256': (password) => [hex('sha256', password)],
  /** WordPress since 6.8. */
  wp: (password) => listWordPressForms(password).map((form) => mac('sha384', 'wp-sha384', form)),
  /** Request Tracker. */
  'sha512-raw': (password) => [hash('sha512', password, 'buffer')],
  /** bcrypt_sha256 of passlib: the key is the text of the salt. */
  'passlib-hmac': (password, salt) => [mac('sha256', salt, password)],
  /** Flask-Security, whose forms normalize passwords and whose function does not. */
  'hmac-sha512': (password, key) =>
    [...new Set([normalizeShortNfkd(password), password])].map((form) => mac('sha512', key, form)),
  /** The pepper of Devise. */
  suffix: (password, pepper) => [password + pepper],
  'mediawiki-md5': (password, salt) => [hex('md5', `${salt}-${hex('md5', password)}`)],
} satisfies Record<string, Prehash>;

export type PrehashName = keyof typeof PREHASHES;

/** WordPress trims passwords, and adds backslashes to those that a page sends. */
export function listWordPressForms(password: string): string[] {
  const trimmed = password.trim();
  return [...new Set([password, trimmed, trimmed.replace(/["'\\]/g, String.raw`\$&`)])];
}

/** The marker of the hash that replaces such a one, so that every text with which the user could sign in still matches. */
const REPLACEMENTS: Partial<Record<PrehashName, '$nfkc' | '$trim'>> = {
  ...{ nfkc: '$nfkc', 'hmac-sha512': '$nfkc' },
  ...{ trim: '$trim', wp: '$trim' },
};

const MARKER = new RegExp(String.raw`^\$(${Object.keys(PREHASHES).join('|')})(?=\$)`);

/**
 * Splits a stored hash, or its start, into the marker, which is empty if it is a hash of the password itself, the hash
 * that the other modules know, and the argument in Base64 for URLs. `listForms` returns what `inner` may be the hash of.
 */
export function splitPrehash(stored: string) {
  const [marker = '', name] = MARKER.exec(stored) ?? [];
  if (name === undefined)
    return {
      marker,
      inner: stored,
      argument: '',
      replacement: '',
      listForms: (password: string) => [password],
    };
  const [inner = '', argument = ''] = stored.slice(marker.length).split('#');
  const prehash: Prehash = PREHASHES[name as PrehashName];
  const listForms = (password: string) => prehash(password, Buffer.from(argument, 'base64url').toString());
  return { marker, inner, argument, replacement: REPLACEMENTS[name as PrehashName] ?? '', listForms };
}

/** Returns the stored form of a hash of what `name` makes of a password. */
export function joinPrehash(name: PrehashName, inner: string, argument = ''): string {
  return `$${name}${inner}${argument === '' ? '' : `#${Buffer.from(argument).toString('base64url')}`}`;
}
