/** Translates the messages of the API about a field. They are part of its contract (decision 0006). */
import type { LanguageTexts } from '../../texts/language-texts.ts';

/** Returns a message of the API in the language of the page. */
export function translateFieldError(
  message: string,
  /** The schema of the API may require fewer characters than `minLength`. */
  { field, minLength = 0 }: { readonly field: 'password' | 'email'; readonly minLength?: number },
  { text }: LanguageTexts,
): string {
  if (/is required\.$/.test(message)) return text('field.required', { field });
  if (/too common/.test(message)) return text('field.too_common');
  if (/valid email address/.test(message)) return text('field.not_email', { field });
  const [, bound, limit, unit] = /(at least|greater than) (\d+) (characters|bytes)\.$/.exec(message) ?? [];
  if (bound === 'at least')
    return text('field.too_short', { field, limit: Math.max(Number(limit), minLength) });
  if (bound !== undefined) return text('field.too_long', { field, limit: Number(limit), unit: unit! });
  return text('field.not_valid', { field });
}
