/** Language tags (BCP 47), and time zones. */
import Negotiator from 'negotiator';

/** Returns a locale in its canonical form, null if it is none (RFC 5646). */
export function toLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** Whether the text is the name of an IANA time zone, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    return /^[A-Z]/i.test(text) && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }));
  } catch {
    return false;
  }
}

export const isLocale = (text: string): boolean => toLocale(text) === text && text.length <= MAX_LENGTH;

/** Tags with all registered subtags are shorter; extensions and private subtags could have any length. */
const MAX_LENGTH = 64;

/** Returns the first locale that a client prefers, null if it names none. */
export function findPreferredLocale(acceptLanguage: string | undefined): string | null {
  if (acceptLanguage === undefined) return null;
  const ranges = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  return ranges.map((range) => toLocale(range) ?? '').find(isLocale) ?? null;
}

/**
 * Returns the available language that fits a locale or a value of Accept-Language best: `de` for `de-AT`; none for `*`,
 * which prefers none.
 */
export function findLanguage(preferred: string | null | undefined, available: readonly string[]) {
  if (!preferred) return undefined;
  const headers = { 'accept-language': preferred.replace('*', '') };
  return new Negotiator({ headers }).language([...available]);
}
