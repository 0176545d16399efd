import { normalizeNfc } from './normalize.ts';

/** The pattern of `<input type=email>` (WHATWG HTML), which takes linear time. Not with the `m` flag. */
const PATTERN =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Whether the text is an email address. */
export function isEmailAddress(text: string): boolean {
  return PATTERN.test(text);
}

/** Returns the form in which equal addresses are equal texts: trimmed, NFC, lower case. */
export function normalizeEmail(address: string): string {
  return normalizeNfc(address.trim()).toLowerCase();
}

/** Normalizes the email of a record, which may have none. */
export function normalizeOptionalEmail(email: string | null): string | null {
  return email === null ? null : normalizeEmail(email);
}
