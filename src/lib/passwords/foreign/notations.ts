/** Hashes that are only written differently: each notation is rewritten into one of the verifiers, in `KINDS`. */
import { encodeBase64 } from './hash-kind.ts';
import { joinPrehash } from './prehash.ts';
import { type DigestRule, formatDigest } from './salted-digests.ts';

/** The groups of the pattern, without the whole match. */
type Groups = readonly string[];
type Notation = readonly [pattern: RegExp, rewrite: (groups: Groups) => string];
type SaltedNotation = readonly [pattern: RegExp, rewrite: (groups: Groups, salt: string) => string];

const hex = (text = '') => Buffer.from(text, 'hex');
const base64 = (text = '') => Buffer.from(text, 'base64');
/** Base64 without padding, also of the alphabet of passlib. */
const unpad = (text = '') => text.replaceAll('.', '+').replace(/=+$/, '');
const encode = (bytes: string | Uint8Array) => encodeBase64(Buffer.from(bytes));

/** `salt` and `key` are Base64. */
function pbkdf2([digest = '', rounds = '', salt = '', key = '']: Groups): string {
  return `$pbkdf2-${digest.toLowerCase()}$${rounds}$${unpad(salt)}$${unpad(key)}`;
}

function scrypt([n, r, p, salt = '', key = '']: Groups): string {
  return `$scrypt$ln=${Math.log2(Number(n))},r=${r},p=${p}$${unpad(salt)}$${unpad(key)}`;
}

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BCRYPT = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const toBcryptAlphabet = (text = '') =>
  text.replace(/[A-Za-z0-9+/]/g, (character) => BCRYPT[STANDARD.indexOf(character)]!);

const LDAP_BYTES: Readonly<Record<string, number>> = { '': 20, 256: 32, 512: 64 };

/** `{SSHA256}` and the like: the digest, then the salt. */
function ldap([size = '', text = '']: Groups): string {
  const bytes = base64(text);
  const length = LDAP_BYTES[size]!;
  const rule: DigestRule = size === '' ? 'ldap-sha1' : size === '256' ? 'ldap-sha256' : 'ldap-sha512';
  return formatDigest(rule, bytes.subarray(length), bytes.subarray(0, length));
}

/** The first that matches is applied, once. */
const NOTATIONS: readonly Notation[] = [
  // Dovecot, OpenLDAP
  [/^\{(?:BLF-CRYPT|ARGON2(?:ID?)?|SHA(?:256|512)-CRYPT|MD5-CRYPT|CRYPT)\}(\$.*)$/i, ([rest = '']) => rest],
  [
    /^\{PBKDF2\}\$1\$([^$]+)\$(\d+)\$([0-9a-f]+)$/i,
    ([salt = '', rounds = '', key]) => pbkdf2(['sha1', rounds, encode(salt), encode(hex(key))]),
  ],
  [
    /^\{PBKDF2(?:-(SHA1|SHA256|SHA512))?\}(\d+)\$([^$]+)\$([^$]+)$/i,
    ([digest = 'sha1', ...rest]) => pbkdf2([digest, ...rest]),
  ],
  [/^\{S?SHA(256|512|)\}([A-Za-z0-9+/]+=*)$/i, ldap],
  // Atlassian
  [
    /^\{PKCS5S2\}([A-Za-z0-9+/]{64})$/,
    ([text]) =>
      pbkdf2(['sha1', '10000', encode(base64(text).subarray(0, 16)), encode(base64(text).subarray(16))]),
  ],
  // Django
  [
    /^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/]+=*)$/,
    ([digest = '', rounds = '', salt = '', key = '']) => pbkdf2([digest, rounds, encode(salt), key]),
  ],
  [
    /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/]+=*)$/,
    ([n = '', salt = '', r = '', p = '', key = '']) => scrypt([n, r, p, encode(salt), key]),
  ],
  [/^bcrypt\$(\$2.*)$/, ([rest = '']) => rest],
  [/^bcrypt_sha256\$(\$2.*)$/, ([rest = '']) => joinPrehash('django-bcrypt-sha256', rest)],
  [/^md5\$([^$]*)\$([0-9a-f]{32})$/, ([salt = '', key]) => formatDigest('django-md5', salt, hex(key))],
  [/^sha1\$([^$]*)\$([0-9a-f]{40})$/, ([salt = '', key]) => formatDigest('django-sha1', salt, hex(key))],
  [/^([0-9a-f]{32})$/i, ([key]) => formatDigest('django-md5', '', hex(key))],
  // Werkzeug
  [
    /^scrypt:(\d+):(\d+):(\d+)\$([^$]+)\$([0-9a-f]+)$/,
    ([n = '', r = '', p = '', salt = '', key]) => scrypt([n, r, p, encode(salt), encode(hex(key))]),
  ],
  [
    /^pbkdf2:(sha1|sha256|sha512):(\d+)\$([^$]+)\$([0-9a-f]+)$/,
    ([digest = '', rounds = '', salt = '', key]) => pbkdf2([digest, rounds, encode(salt), encode(hex(key))]),
  ],
  // Adonis
  [/^\$scrypt\$n=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/, scrypt],
  [
    /^\$bcrypt\$v=98\$r=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{31})$/,
    ([cost = '', salt, key]) =>
      `$2b$${cost.padStart(2, '0')}$${toBcryptAlphabet(salt)}${toBcryptAlphabet(key)}`,
  ],
  // Lucia
  [/^s2:([0-9a-z]{8,64}:[0-9a-f]{128})$/, ([hash]) => `$better-auth$${hash}`],
  // MediaWiki
  [/^:pbkdf2:(\w+):(\d+):\d+:([^:]+):([^:]+)$/, pbkdf2],
  [
    /^:bcrypt:(\d{1,2})\$(.{22})\$(.{31})$/,
    ([cost = '', salt, key]) => `$2y$${cost.padStart(2, '0')}$${salt}${key}`,
  ],
  [/^:A:([0-9a-f]{32})$/, ([key]) => formatDigest('django-md5', '', hex(key))],
  [/^:B:([^:]*):([0-9a-f]{32})$/, ([salt = '', key]) => formatDigest('mediawiki', salt, hex(key))],
  [
    /^:pbkdf2-legacyB:!(\w+):(\d+):\d+!([^!]*)!([^!]+)!([^!]+)$/,
    ([digest = '', rounds = '', inner = '', salt = '', key = '']) =>
      joinPrehash('mediawiki-md5', pbkdf2([digest, rounds, salt, key]), inner),
  ],
  // passlib
  [
    /^\$bcrypt-sha256\$v=2,t=(2[aby]),r=(\d{1,2})\$([^$]{22})\$([^$]{31})$/,
    ([version, cost = '', salt = '', key]) =>
      joinPrehash('passlib-hmac', `$${version}$${cost.padStart(2, '0')}$${salt}${key}`, salt),
  ],
  // Request Tracker
  [
    /^!bcrypt!(\d{1,2})!(.{53})$/,
    ([cost = '', rest]) => joinPrehash('sha512-raw', `$2a$${cost.padStart(2, '0')}$${rest}`),
  ],
  [
    /^!sha512!([^!]+)!([A-Za-z0-9+/]{86}=*)$/,
    ([salt = '', key]) => formatDigest('request-tracker', salt, base64(key)),
  ],
  // Mosquitto
  [
    /^\$7\$(\d+)\$([A-Za-z0-9+/]{16})\$([A-Za-z0-9+/]{86}==)$/,
    ([rounds = '', salt = '', key = '']) => pbkdf2(['sha512', rounds, salt, key]),
  ],
  [
    /^\$6\$([A-Za-z0-9+/]{16})\$([A-Za-z0-9+/]{86}==)$/,
    ([salt, key]) => formatDigest('ldap-sha512', base64(salt), base64(key)),
  ],
];

/** Hashes whose salt is in a column of its own. */
const SALTED: readonly SaltedNotation[] = [
  // Payload; passport-local-mongoose and Payload before, whose first 32 bytes are those of a key of 32 bytes
  [
    /^pbkdf2-sha256-v1:([0-9a-f]{64})$/,
    ([key], salt) => pbkdf2(['sha256', '600000', encode(salt), encode(hex(key))]),
  ],
  [
    /^([0-9a-f]{64})[0-9a-f]{960}$/,
    ([key], salt) => pbkdf2(['sha256', '25000', encode(salt), encode(hex(key))]),
  ],
  // RedwoodJS
  [
    /^([0-9a-f]{64})\|(\d+)\|(\d+)\|(\d+)$/,
    ([key, n = '', r = '', p = ''], salt) =>
      joinPrehash('nfc', scrypt([n, r, p, encode(salt), encode(hex(key))])),
  ],
  // Redmine; Prosody has UUIDs as salts
  [
    /^([0-9a-f]{40})$/,
    ([key = ''], salt) => (salt.includes('-') ? key : formatDigest('redmine', salt, hex(key))),
  ],
  // Symfony: the digest, and PBKDF2 with a key of 40 bytes
  [/^([A-Za-z0-9+/]{86}==)$/, ([key], salt) => formatDigest('symfony', salt, base64(key))],
  [/^([A-Za-z0-9+/]{54}==)$/, ([key = ''], salt) => pbkdf2(['sha512', '1000', encode(salt), key])],
];

/** Returns a hash in the notation of a verifier; one in another notation as it is. */
export function rewriteHash(hash: string, salt: string | null): string {
  for (const [pattern, rewrite] of salt === null ? [] : SALTED) {
    const match = pattern.exec(hash);
    if (match !== null) return rewrite(match.slice(1), salt!);
  }
  for (const [pattern, rewrite] of NOTATIONS) {
    const match = pattern.exec(hash);
    if (match !== null) return rewrite(match.slice(1));
  }
  return hash;
}

/** What is no hash that could be verified, and is often among hashes. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^fakeHash:/, 'password_hash is a password in clear as the Firebase emulator writes it'],
  [/^[^$:{}!]+:\$/, 'password_hash is a line user:hash: give the hash alone'],
  [/^[0-9a-f]{32}:[0-9A-Za-z]{16,32}$/i, 'password_hash is the salted MD5 of Joomla before 3.2'],
  [/^\$y\$/, 'password_hash is of yescrypt'],
  [/^\$7\$/, 'password_hash is of the scrypt of crypt(3)'],
  [/^\{?SCRAM-SHA-/i, 'password_hash is of SCRAM'],
  [/^\{"hash"/, 'password_hash is of the package credential'],
  [/^[./0-9A-Za-z]{13}$/, 'password_hash is of the DES of crypt(3)'],
  [/^\*[0-9A-F]{40}$/i, 'password_hash is of MySQL'],
  [/^[0-9a-f]{40}$/i, 'password_hash is a SHA-1 digest: one of Redmine needs password_salt'],
];

/** Returns what a text is that is no supported hash, without its content. */
export function describeUnsupported(given: string): string {
  return (
    UNSUPPORTED.find(([pattern]) => pattern.test(given))?.[1] ?? 'password_hash is not of a supported kind'
  );
}
