/**
 * What some services hash in place of the password. A stored hash of them begins with a marker, as `$wp` of
 * `$wp$2y$12$…`, and ends with the argument of the function if it has one: `$suffix$2b$12$…#<Base64 for URLs>`.
 */
import { createHash, createHmac } from 'node:crypto';
import { normalizeNfc, normalizeShortNfkc, normalizeShortNfkd } from '../../text/normalize.ts';

/** Returns the forms of a password that may have been hashed, the most likely first. Bytes are a digest. */
type Prehash = (password: string, argument: string) => readonly (string | Uint8Array)[];

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text);
const mac = (algorithm: string, key: string, text: string) =>
  Buffer.from(createHmac(algorithm, key).update(text).digest('base64'));

const PREHASHES = {
  nfc: (password) => [normalizeNfc(password)],
  nfkc: (password) => [normalizeShortNfkc(password)],
  trim: (password) => [password.trim()],
  'sha256-hex': (password) => [Buffer.from(digest('sha256', password).digest('hex'))],
  /** BCryptSHA256PasswordHasher of Django. */
  'django-bcrypt-sha256': (password) => [Buffer.from(digest('sha256', password).digest('hex'))],
  /** WordPress since 6.8. */
  wp: (password) => listWordPressForms(password).map((form) => mac('sha384', 'wp-sha384', form)),
  /** Request Tracker. */
  'sha512-raw': (password) => [digest('sha512', password).digest()],
  /** bcrypt_sha256 of passlib: the key is the text of the salt. */
  'passlib-hmac': (password, salt) => [mac('sha256', salt, password)],
  /** Flask-Security, whose forms normalize passwords and whose function does not. */
  'hmac-sha512': (password, key) =>
    [...new Set([normalizeShortNfkd(password), password])].map((form) => mac('sha512', key, form)),
  /** The pepper of Devise. */
  suffix: (password, pepper) => [password + pepper],
  'mediawiki-md5': (password, salt) => {
    const inner = digest('md5', password).digest('hex');
    return [Buffer.from(digest('md5', `${salt}-${inner}`).digest('hex'))];
  },
} satisfies Record<string, Prehash>;

export type PrehashName = keyof typeof PREHASHES;

/** WordPress trims passwords, and adds backslashes to those that a page sends. */
export function listWordPressForms(password: string): string[] {
  const trimmed = password.trim();
  return [...new Set([password, trimmed, trimmed.replace(/["'\\]/g, String.raw`\$&`)])];
}

/**
 * The form in which a password of such a hash is hashed when the hash is replaced, so that every text with which the
 * user could sign in before still matches.
 */
const REPLACEMENTS: Readonly<Record<string, PrehashName>> = {
  nfkc: 'nfkc',
  'hmac-sha512': 'nfkc',
  trim: 'trim',
  wp: 'trim',
};

const MARKER = new RegExp(String.raw`^\$(${Object.keys(PREHASHES).join('|')})(?=\$)`);

export interface SplitHash {
  /** Empty if the hash is one of the password itself. */
  readonly marker: string;
  /** The hash that the other modules know, or its start. */
  readonly inner: string;
  /** Base64 for URLs. */
  readonly argument: string;
  /** Returns the forms of a password of which `inner` may be the hash. */
  readonly listForms: (password: string) => readonly (string | Uint8Array)[];
  /** The marker of the hash that replaces this one. */
  readonly replacement: string;
}

/** Splits a stored hash, or its start. */
export function splitPrehash(stored: string): SplitHash {
  const name = MARKER.exec(stored)?.[1] as PrehashName | undefined;
  if (name === undefined)
    return { marker: '', inner: stored, argument: '', listForms: (password) => [password], replacement: '' };
  const marker = `$${name}`;
  const [inner = '', argument = ''] = stored.slice(marker.length).split('#');
  const replacement = REPLACEMENTS[name];
  return {
    marker,
    inner,
    argument,
    listForms: (password) => PREHASHES[name](password, Buffer.from(argument, 'base64url').toString()),
    replacement: replacement === undefined ? '' : `$${replacement}`,
  };
}

/** Returns the stored form of a hash of what `name` makes of a password. */
export function joinPrehash(name: PrehashName, inner: string, argument = ''): string {
  return `$${name}${inner}${argument === '' ? '' : `#${Buffer.from(argument).toString('base64url')}`}`;
}
