/** Hashes that are only written differently: each notation is rewritten into that of a verifier, in `KINDS`. */
import { encodeBase64 } from './hash-kind.ts';
import { joinPrehash } from './prehash.ts';
import { type DigestRule, formatDigest } from './salted-digests.ts';

/** The members of notations. `<hex:32>` is one of 32 characters. */
const MEMBERS = {
  crypt: 'BLF-CRYPT|ARGON2(?:ID?)?|SHA(?:256|512)-CRYPT|MD5-CRYPT|CRYPT',
  ldap: 'S?SHA(?:256|512)?',
  sha: 'sha1|sha256|sha512',
  version: '2[aby]',
  ...{ rounds: '\\d+', length: '\\d+', cost: '\\d\\d?', n: '\\d+', r: '\\d+', p: '\\d+' },
  /** A salt that is text; `salt` and `key` are Base64, with `.` for `+` in passlib. */
  text: '[^$!]*',
  salt: '[A-Za-z0-9+/.]+=*',
  key: '[A-Za-z0-9+/.]+=*',
  hex: '[0-9a-f]+',
  rest: '.+',
};

type Members = { readonly [Name in keyof typeof MEMBERS]?: string | undefined };
type Rewrite = (members: Members) => string;

const unpad = (text: string) => text.replaceAll('.', '+').replace(/=+$/, '');
const encode = (bytes: string | Uint8Array) => encodeBase64(Buffer.from(bytes));
const getSalt = ({ salt = '', text }: Members) => (text === undefined ? unpad(salt) : encode(text));
const getKey = ({ key = '', hex }: Members) =>
  hex === undefined ? unpad(key) : encode(Buffer.from(hex, 'hex'));

const pbkdf2: Rewrite = ({ sha = 'sha1', rounds, ...members }) =>
  `$pbkdf2-${sha.toLowerCase()}$${rounds}$${getSalt(members)}$${getKey(members)}`;

const scrypt: Rewrite = ({ n, r, p, ...members }) =>
  `$scrypt$ln=${Math.log2(Number(n))},r=${r},p=${p}$${getSalt(members)}$${getKey(members)}`;

const bcrypt: Rewrite = ({ version = '2b', cost = '', salt = '', key = '', rest = salt + key }) =>
  `$${version}$${cost.padStart(2, '0')}$${rest}`;

const toDigest =
  (rule: DigestRule): Rewrite =>
  (members) =>
    formatDigest(rule, getSalt(members), getKey(members));

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BCRYPT = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const toBcryptAlphabet = (text: string) =>
  text.replace(/[A-Za-z0-9+/]/g, (character) => BCRYPT[STANDARD.indexOf(character)]!);

/** `{SSHA256}` and the like: the digest, then the salt. */
const ldap: Rewrite = ({ ldap = '', key = '' }) => {
  const bytes = Buffer.from(key, 'base64');
  const size = /\d+/.exec(ldap)?.[0];
  const length = size === undefined ? 20 : Number(size) / 8;
  const rule = `ldap-sha${(size ?? '1') as '1' | '256' | '512'}` as const;
  return formatDigest(rule, encode(bytes.subarray(length)), encode(bytes.subarray(0, length)));
};

const atlassian: Rewrite = ({ key = '' }) => {
  const bytes = Buffer.from(key, 'base64');
  return pbkdf2({ rounds: '10000', salt: encode(bytes.subarray(0, 16)), key: encode(bytes.subarray(16)) });
};

const NOTATIONS: Readonly<Record<string, Rewrite>> = {
  // Dovecot, OpenLDAP, Atlassian
  '{<crypt>}$<rest>': ({ rest }) => `$${rest}`,
  '{PBKDF2}$1$<text>$<rounds>$<hex>': pbkdf2,
  '{PBKDF2}<rounds>$<salt>$<key>': pbkdf2,
  '{PBKDF2-<sha>}<rounds>$<salt>$<key>': pbkdf2,
  '{<ldap>}<key>': ldap,
  '{PKCS5S2}<key:64>': atlassian,
  // Django
  'pbkdf2_<sha>$<rounds>$<text>$<key>': pbkdf2,
  'scrypt$<n>$<text>$<r>$<p>$<key>': scrypt,
  'bcrypt$$<rest>': ({ rest }) => `$${rest}`,
  'bcrypt_sha256$$<rest>': ({ rest }) => joinPrehash('django-bcrypt-sha256', `$${rest}`),
  'md5$<text>$<hex:32>': toDigest('django-md5'),
  'sha1$<text>$<hex:40>': toDigest('django-sha1'),
  '<hex:32>': toDigest('django-md5'),
  // Werkzeug
  'scrypt:<n>:<r>:<p>$<text>$<hex>': scrypt,
  'pbkdf2:<sha>:<rounds>$<text>$<hex>': pbkdf2,
  // Adonis
  '$scrypt$n=<n>,r=<r>,p=<p>$<salt>$<key>': scrypt,
  '$bcrypt$v=98$r=<cost>$<salt:22>$<key:31>': ({ cost, salt = '', key = '' }) =>
    bcrypt({ cost, rest: toBcryptAlphabet(salt + key) }),
  // Lucia
  's2:<text>:<hex:128>': ({ text, hex }) => `$better-auth$${text}:${hex}`,
  // MediaWiki
  ':pbkdf2:<sha>:<rounds>:<length>:<salt>:<key>': pbkdf2,
  ':bcrypt:<cost>$<salt:22>$<key:31>': (members) => bcrypt({ ...members, version: '2y' }),
  ':A:<hex:32>': toDigest('django-md5'),
  ':B:<text>:<hex:32>': toDigest('mediawiki'),
  ':pbkdf2-legacyB:!<sha>:<rounds>:<length>!<text>!<salt>!<key>': ({ text, ...members }) =>
    joinPrehash('mediawiki-md5', pbkdf2(members), text),
  // passlib
  '$bcrypt-sha256$v=2,t=<version>,r=<cost>$<salt:22>$<key:31>': (members) =>
    joinPrehash('passlib-hmac', bcrypt(members), members.salt),
  // Request Tracker
  '!bcrypt!<cost>!<rest>': (members) => joinPrehash('sha512-raw', bcrypt({ ...members, version: '2a' })),
  '!sha512!<text>!<key>': toDigest('request-tracker'),
  // Mosquitto
  '$7$<rounds>$<salt:16>$<key:86>==': (members) => pbkdf2({ ...members, sha: 'sha512' }),
  '$6$<salt:16>$<key:86>==': toDigest('ldap-sha512'),
};

/** Hashes whose salt, `text`, is in a column of its own. */
const SALTED: Readonly<Record<string, Rewrite>> = {
  // Payload; passport-local-mongoose and Payload before, whose first 32 bytes are those of a key of 32 bytes
  'pbkdf2-sha256-v1:<hex:64>': (members) => pbkdf2({ ...members, sha: 'sha256', rounds: '600000' }),
  '<hex:1024>': ({ text, hex }) => pbkdf2({ sha: 'sha256', rounds: '25000', text, hex: hex?.slice(0, 64) }),
  // RedwoodJS
  '<hex:64>|<n>|<r>|<p>': (members) => joinPrehash('nfc', scrypt(members)),
  // The order of salt and password is not known
  '<hex:32>': ({ hex = '' }) => hex,
  // Redmine; Prosody has UUIDs as salts
  '<hex:40>': (members) => (members.text?.includes('-') ? members.hex! : toDigest('redmine')(members)),
  // Of Symfony: the digest, and PBKDF2 with a key of 40 bytes
  '<key:86>==': toDigest('symfony'),
  '<key:54>==': (members) => pbkdf2({ ...members, sha: 'sha512', rounds: '1000' }),
};

/** Returns the table with regular expressions in place of the notations. */
function compile(table: Readonly<Record<string, Rewrite>>): readonly (readonly [RegExp, Rewrite])[] {
  const toPattern = (part: string, name: keyof Members | undefined, length: string | undefined) => {
    if (name === undefined) return RegExp.escape(part);
    return `(?<${name}>${length === undefined ? MEMBERS[name] : MEMBERS[name].replace(']+', `]{${length}}`)})`;
  };
  return Object.entries(table).map(([notation, rewrite]) => [
    new RegExp(`^${notation.replace(/<(\w+)(?::(\d+))?>|[^<]+/g, toPattern)}$`, 'i'),
    rewrite,
  ]);
}

/** Compiled at the first use, which most starts never come to. */
const compiled = new Map<typeof NOTATIONS, ReturnType<typeof compile>>();

/** Returns a hash in the notation of a verifier; one in another notation as it is. */
export function rewriteHash(hash: string, salt: string | null): string {
  const find = (table: typeof NOTATIONS, more: Members) => {
    for (const [pattern, rewrite] of compiled.getOrInsertComputed(table, compile)) {
      const members = pattern.exec(hash)?.groups;
      if (members !== undefined) return rewrite({ ...members, ...more });
    }
    return null;
  };
  return (salt === null ? null : find(SALTED, { text: salt })) ?? find(NOTATIONS, {}) ?? hash;
}

/** What is no hash that could be verified, and is often among hashes. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^fakeHash:/, 'a password in clear as the Firebase emulator writes it'],
  [/^[^$:{}!]+:\$/, 'a line user:hash: give the hash alone'],
  [/^[0-9a-f]{32}:[0-9A-Za-z]{16,32}$/i, 'the salted MD5 of Joomla before 3.2'],
  [/^[0-9a-f]{32}$/i, 'an MD5 digest, for which password_salt is not supported'],
  [/^\$y\$/, 'of yescrypt'],
  [/^\$7\$/, 'of the scrypt of crypt(3)'],
  [/^\{?SCRAM-SHA-/i, 'of SCRAM'],
  [/^\{"hash"/, 'of the package credential'],
  [/^[./0-9A-Za-z]{13}$/, 'of the DES of crypt(3)'],
  [/^\*[0-9A-F]{40}$/i, 'of MySQL'],
  [/^[0-9a-f]{40}$/i, 'a SHA-1 digest: one of Redmine needs password_salt'],
];

/** Returns what a text is that is no supported hash, without its content. */
export function describeUnsupported(given: string): string {
  const found = UNSUPPORTED.find(([pattern]) => pattern.test(given));
  return `password_hash is ${found?.[1] ?? 'not of a supported kind'}`;
}
