/** Recovery codes: each signs in once, without the app. */
import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { normalizeTypedCode } from '../../lib/text/typed-code.ts';

export const RECOVERY_CODES = 10;
/** Above the 112 bits from which a plain hash suffices (OWASP ASVS 5.0, 6.5.2). */
const CODE_BYTES = 15;
/** Base32 (RFC 4648 section 6) has no 0, 1, 8 and 9, which would look like letters. */
const CODE = /^[A-Z2-7]{24}$/;

/** Returns new codes, as people see them: six groups of four characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(CODE_BYTES)).buffer });
  return base32.toLowerCase().match(/.{4}/g)!.join('-');
}

/** Returns the hash of a typed code, as it is stored; undefined for a text that cannot be one. */
export function hashRecoveryCode(text: string): string | undefined {
  const code = normalizeTypedCode(text);
  return CODE.test(code) ? hashToken(code) : undefined;
}
