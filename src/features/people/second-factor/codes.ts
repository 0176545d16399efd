/** Codes of authenticator apps (RFC 6238), with the parameters that every app knows, and recovery codes. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { normalizeTypedCode } from '../../../lib/text/text.ts';

const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 section 4 (R6) recommends 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are accepted, for transmission and clocks (RFC 6238 section 5.2). */
const WINDOW = 1;
const TOTP_CODE = /^[0-9]{6}$/;

/** Returns a new random secret. */
export const newTotpSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes;

/** Returns the secret in base32 (RFC 4648 section 6), as apps accept it. */
export const formatTotpSecret = (secret: Uint8Array): string => toSecret(secret).base32;

/** Returns the URI from which an app adds the account. */
export function formatTotpUri(account: { secret: Uint8Array; issuer: string; label: string }): string {
  const { secret, issuer, label } = account;
  const names = { issuer: withoutColons(issuer), label: withoutColons(label) };
  return new TOTP({ ...PARAMETERS, ...names, secret: toSecret(secret) }).toString();
}

/** A colon separates issuer and account: apps show names that contain one wrongly. */
const withoutColons = (name: string): string => name.replace(/\s*:\s*/g, ' ').trim();

/** Returns the time step of this code, the present, previous or next one, in constant time. */
export function findTotpStep(secret: Uint8Array, code: string, now: number): number | undefined {
  // The library compares codes of this length by their bytes: others would not be as long.
  if (!TOTP_CODE.test(code)) return undefined;
  const totp = new TOTP({ ...PARAMETERS, secret: toSecret(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

function toSecret(bytes: Uint8Array): Secret {
  // A buffer of its own: small ones of Node share theirs.
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}

const RECOVERY_CODES = 10;
/** Above the 112 bits from which a plain hash suffices (OWASP ASVS 5.0, 6.5.2). */
const CODE_BYTES = 15;
/** Base32 (RFC 4648 section 6) has no 0, 1, 8 and 9, which would look like letters. */
const RECOVERY_CODE = /^[A-Z2-7]{24}$/;

/** Returns new codes, as people see them: six groups of four characters. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(CODE_BYTES)).buffer });
  return base32.toLowerCase().match(/.{4}/g)!.join('-');
}

/** Returns the hash of a typed code, as it is stored; undefined for a text that cannot be one. */
export function hashRecoveryCode(text: string): string | undefined {
  const code = normalizeTypedCode(text);
  return RECOVERY_CODE.test(code) ? hashToken(code) : undefined;
}
