/**
 * The pattern of HTML's `<input type=email>` (WHATWG HTML, "valid e-mail address"): what browsers accept, and
 * linear to match. Anchored without `m`, so that a trailing line break does not pass.
 */
const PATTERN =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export function isEmailAddress(text: string): boolean {
  return PATTERN.test(text);
}

/** The form in which two addresses are the same address: trimmed, NFC, lower case as a whole. */
export function normalizeEmail(address: string): string {
  return address.trim().normalize('NFC').toLowerCase();
}
