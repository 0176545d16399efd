/** Texts and formats of all languages. */
import { join } from 'node:path';
import type { TextKey } from './language-file.ts';

/** Texts of the service. */
export const OWN_DIRECTORY = join(import.meta.dirname, 'languages');
/** The language of a text that others lack, and of clients that accept none of the languages. */
export const FALLBACK_LANGUAGE = 'en';

export type TextValues = Readonly<Record<string, string | number>>;

/** The texts of one language. */
export interface LanguageTexts {
  /** Language tag (RFC 5646). */
  readonly language: string;
  /** `rtl` for scripts that are written from right to left. */
  readonly direction: 'ltr' | 'rtl';
  /** Returns a text with its placeholders replaced. */
  text(key: TextKey, values?: TextValues): string;
  /** Formats a time with its zone, the name of an IANA time zone: `21 Nov 2026, 21:39 UTC`, `21 Nov 2026, 22:39 (Europe/Berlin)`. */
  time(milliseconds: number, timeZone?: string | null): string;
  /** Formats a duration in its largest unit: `2 hours`. */
  duration(seconds: number): string;
}
