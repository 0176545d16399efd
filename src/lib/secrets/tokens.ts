/**
 * Tokens of users, credentials of administrators and secrets of applications: a prefix, 43 base62 characters (256 random bits) and a
 * CRC-32, by which invented ones are rejected without a query.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'fd_pat_';
const CREDENTIAL_PREFIX = 'fd_svc_';
const APPLICATION_PREFIX = 'fd_app_';
const REFRESH_PREFIX = 'fd_rt_';
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
/** All successors of a refresh token begin with the same 131 random bits; the other 125 are its own. */
const FAMILY_LENGTH = REFRESH_PREFIX.length + 22;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const RANDOM_DIGITS = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH}}$`);

export const newToken = (): string => createSecret(PREFIX);

export const newCredential = (): string => createSecret(CREDENTIAL_PREFIX);

/** Returns a new `client_secret` of an application. */
export const newApplicationSecret = (): string => createSecret(APPLICATION_PREFIX);

/** Returns the first refresh token of a program. */
export const newRefreshToken = (): string => createSecret(REFRESH_PREFIX);

/**
 * Derives the successor of a refresh token by HMAC-SHA-256 from it and a nonce, so that it can be returned again without
 * being stored: whoever knows only one of the two cannot derive it.
 */
export function deriveRefreshToken(token: string, nonce: string): string {
  const digits = deriveToken(token, nonce);
  const familyDigits = FAMILY_LENGTH - REFRESH_PREFIX.length;
  return addChecksum(token.slice(0, FAMILY_LENGTH) + digits.slice(familyDigits));
}

/** Derives a token of a session from a secret and a nonce by HMAC-SHA-256: as random as the better one of the two. */
export function deriveToken(secret: string, nonce: string): string {
  const mac = createHmac('sha256', nonce).update(secret).digest('hex');
  return base62(BigInt(`0x${mac}`), RANDOM_LENGTH);
}

/** Returns the hash that a refresh token and all of its successors have in common. */
export const hashFamily = (refreshToken: string): string => hashToken(refreshToken.slice(0, FAMILY_LENGTH));

export const isRefreshToken = (text: string): boolean => isSecret(text, REFRESH_PREFIX);

const createSecret = (prefix: string) => addChecksum(prefix + newRandomToken());
const addChecksum = (secret: string) => secret + checksum(secret);

/** Returns a new token of a link or a console session: 43 base62 characters, which mail and cookies leave as they are. */
export function newRandomToken(): string {
  return base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH);
}

export const isRandomToken = (text: string): boolean => RANDOM_DIGITS.test(text);

export const isToken = (text: string): boolean => isSecret(text, PREFIX);

/** Whether the text has the length, prefix and checksum of a credential. */
export const isCredential = (text: string): boolean => isSecret(text, CREDENTIAL_PREFIX);

function isSecret(text: string, prefix: string): boolean {
  const end = prefix.length + RANDOM_LENGTH;
  if (text.length !== end + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  return text.slice(end) === checksum(text.slice(0, end));
}

/** Returns the start of a token, by which people recognise it: 30 of its 256 random bits. */
export const getFirstCharacters = (token: string): string => token.slice(0, PREFIX.length + 5);

/** Returns the SHA-256 in hex, which is stored. 256 random bits need no slow hash (OWASP ASVS 5.0, 11.5.1). */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

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
