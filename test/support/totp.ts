/** Codes of authenticator apps for tests. */
import { Secret, TOTP } from 'otpauth';

/** Time in which an app shows the same code. */
export const STEP_MS = 30_000;

/** Returns the code that an app with this secret shows at a time in epoch milliseconds. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Returns a code of the right length that is wrong around this time. */
export function wrongCodeAt(secret: string, now: number): string {
  const right = [-1, 0, 1].map((step) => codeAt(secret, now + step * STEP_MS));
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code))!;
}
