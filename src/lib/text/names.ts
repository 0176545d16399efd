import { normalizeNfc } from './normalize.ts';

/**
 * Returns the form in which names are searched: trimmed, NFC, lower case. Lower case of sigma depends on the letters
 * around it; with one form for all, the start of a name has the form that it has in the whole name.
 */
export function normalizeName(name: string): string {
  return normalizeNfc(normalizeNfc(name.trim()).toLowerCase().replaceAll('ς', 'σ'));
}
