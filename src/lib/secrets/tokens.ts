/**
 * Tokens of users and credentials of administrators: a prefix, 43 base62 characters (256 random bits) and a
 * CRC-32, by which invented ones are rejected without a query.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'fd_pat_';
const CREDENTIAL_PREFIX = 'fd_svc_';
const APPLICATION_PREFIX = 'fd_app_';
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const RANDOM_DIGITS = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH}}$`);

export function newToken(): string {
  return createSecret(PREFIX);
}

export function newCredential(): string {
  return createSecret(CREDENTIAL_PREFIX);
}

/** Returns a new `client_secret` of an application. */
export function newApplicationSecret(): string {
  return createSecret(APPLICATION_PREFIX);
}

function createSecret(prefix: string): string {
  const secret = prefix + newRandomToken();
  return secret + checksum(secret);
}

/** Returns a new token of a link or a console session: 43 base62 characters, which mail and cookies leave as they are. */
export function newRandomToken(): string {
  return base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH);
}

export function isRandomToken(text: string): boolean {
  return RANDOM_DIGITS.test(text);
}

export function isToken(text: string): boolean {
  return isSecret(text, PREFIX);
}

/** Whether the text has the length, prefix and checksum of a credential. */
export function isCredential(text: string): boolean {
  return isSecret(text, CREDENTIAL_PREFIX);
}

function isSecret(text: string, prefix: string): boolean {
  if (text.length !== LENGTH || !text.startsWith(prefix)) return false;
  const end = LENGTH - CHECKSUM_LENGTH;
  return text.slice(end) === checksum(text.slice(0, end));
}

/** Returns the start of a token, by which people recognise it: 30 of its 256 random bits. */
export function getFirstCharacters(token: string): string {
  return token.slice(0, PREFIX.length + 5);
}

/** Returns the SHA-256 in hex, which is stored. 256 random bits need no slow hash (OWASP ASVS 5.0, 11.5.1). */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) {
    digits = DIGITS[rest % 62] + digits;
  }
  return digits;
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits;
}
