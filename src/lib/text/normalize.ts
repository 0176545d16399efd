/** Unicode normalization in linear time, for texts of any client, and the normal forms of names and email addresses. */

/** Runs of marks beyond the Stream-Safe Text Format (UAX 15), within which `normalize` takes linear time. */
const LONG_RUN = /\p{M}{31,}/gu;

/** The only mark of the highest combining class: every other mark is sorted before it, unless it has class 0. */
const LAST_MARK = '\u0345';

/** Returns `text.normalize('NFC')`, in linear time: long runs of marks are sorted before. */
export function normalizeNfc(text: string): string {
  return text.replace(LONG_RUN, inCanonicalOrder).normalize('NFC');
}

/** No service that normalizes passwords to NFKC accepts longer ones; sorting so few marks takes no time. */
const MAX_NFK_LENGTH = 4_096;

/** Returns `text.normalize('NFKC')`; texts of more than 4,096 UTF-16 units are returned unchanged. */
export function normalizeShortNfkc(text: string): string {
  return text.length > MAX_NFK_LENGTH ? text : text.normalize('NFKC');
}

/** Returns `text.normalize('NFKD')`; texts of more than 4,096 UTF-16 units are returned unchanged. */
export function normalizeShortNfkd(text: string): string {
  return text.length > MAX_NFK_LENGTH ? text : text.normalize('NFKD');
}

/** Returns the marks of a run decomposed and in canonical order (Unicode Standard, section 3.11). */
function inCanonicalOrder(run: string): string {
  const given = Array.from(run);
  const decompositions = new Map(
    [...new Set(given)].map((mark) => [mark, Array.from(mark.normalize('NFD'))]),
  );
  const ranks = combiningRanks(new Set([...decompositions.values()].flat()));
  let text = '';
  let byRank: string[] = [];
  for (const mark of given.flatMap((one) => decompositions.get(one)!)) {
    const rank = ranks.get(mark);
    if (rank !== undefined) byRank[rank] = (byRank[rank] ?? '') + mark;
    else {
      // A mark of class 0, which no other mark moves across.
      text += byRank.join('') + mark;
      byRank = [];
    }
  }
  return text + byRank.join('');
}

/** Returns the combining classes of decomposed marks as consecutive numbers, without the marks of class 0. */
function combiningRanks(marks: ReadonlySet<string>): ReadonlyMap<string, number> {
  const movable = [...marks].filter((mark) => mark === LAST_MARK || isSwapped(LAST_MARK, mark));
  const ranks = new Map<string, number>();
  let rank = 0;
  let previous = '';
  // Each mark once, so that sorting them by insertion is fast.
  for (const mark of movable.join('').normalize('NFD')) {
    if (isSwapped(mark, previous)) rank++;
    ranks.set(mark, rank);
    previous = mark;
  }
  return ranks;
}

const isSwapped = (one: string, other: string): boolean => (one + other).normalize('NFD') !== one + other;

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
  const key = foldText(name).replace(/\s+/g, ' ').trim();
  return key.length <= MAX_KEY_LENGTH ? key : Array.from(key).slice(0, MAX_KEY_LENGTH).join('').trimEnd();
}

/** Returns the text in lower case, NFKD without accents. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const lower = normalizeShortNfkd(normalizeShortNfkd(text).toLowerCase());
  return lower.replace(SPECIAL, (letter) => PLAIN_LETTERS[letter]!).replace(DIACRITICS, '');
}

/** The pattern of `<input type=email>` (WHATWG HTML), which takes linear time. Not with the `m` flag. */
const PATTERN =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Whether the text is an email address. */
export const isEmailAddress = (text: string): boolean => PATTERN.test(text);

/** Returns the form in which equal addresses are equal texts: trimmed, NFC, lower case. */
export const normalizeEmail = (address: string): string => normalizeNfc(address.trim()).toLowerCase();

/** Normalizes the email of a record, which may have none. */
export function normalizeOptionalEmail(email: string | null): string | null {
  return email === null ? null : normalizeEmail(email);
}
