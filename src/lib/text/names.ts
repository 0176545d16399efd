import { normalizeShortNfkd } from './normalize.ts';

/** Longest key of a name: an index of PostgreSQL rejects values above 2,704 bytes. */
const MAX_KEY_LENGTH = 255;

/** Accents and other diacritics of Latin, Greek and Cyrillic letters. In other scripts, marks are vowels. */
const DIACRITICS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** Letters without a decomposition, as people write them on a keyboard that does not have them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  // Lower case of sigma depends on the letters around it; with one form for all, a start has the form of the whole.
  ς: 'σ',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** Returns the form in which names are searched and sorted: lower case, NFKD without accents, single spaces. */
export function normalizeName(name: string): string {
  const plain = isAscii(name) ? name.toLowerCase() : fold(name);
  const key = plain.replace(/\s+/g, ' ').trim();
  return key.length <= MAX_KEY_LENGTH ? key : cutText(key, MAX_KEY_LENGTH).trimEnd();
}

function fold(text: string): string {
  const lower = normalizeShortNfkd(normalizeShortNfkd(text).toLowerCase());
  return lower.replace(SPECIAL, (letter) => PLAIN_LETTERS[letter]!).replace(DIACRITICS, '');
}

export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}
