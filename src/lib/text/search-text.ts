/** Search for parts of names and emails by their trigrams: all sequences of three characters. */

/** Precedes each beginning of a word twice, so that one character at a beginning has a trigram, too. */
const MARK = '\u0001';
const WORD_MARK = MARK.repeat(2);

/** Characters of a text that is found anywhere. Shorter ones are found at the beginnings of words. */
const MIN_PART_LENGTH = 3;

/** More of them hardly leave fewer users. */
const MAX_TRIGRAMS = 32;

/** A letter or digit after another character, and every character of scripts without spaces between words. */
const WORD_START =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u1100-\u115f]/gu;

const markWords = (text: string) => text.replace(WORD_START, `${WORD_MARK}$&`);

/** Returns the text that is indexed for a user: name and email, normalized, with their words marked. */
export function toSearchText(nameKey: string | null, emailKey: string | null): string {
  return markWords([nameKey, emailKey].filter((key) => key !== null).join('\n'));
}

/** Returns at most 32 trigrams of the text of every user who matches; none for a term that is too short. */
export function toTrigrams(term: string): string[] {
  const characters = Array.from(toPattern(term));
  const starts = characters.slice(0, -2).keys();
  const trigrams = new Set(starts.map((start) => characters.slice(start, start + 3).join('')));
  return [...trigrams.values().take(MAX_TRIGRAMS)];
}

/** Returns the part that the indexed text of every user who matches the normalized term has, and no other text. */
export function toPattern(term: string): string {
  const marked = markWords(term);
  const isPart = Array.from(term).length >= MIN_PART_LENGTH;
  return isPart && marked.startsWith(WORD_MARK) ? marked.slice(WORD_MARK.length) : marked;
}

/** No text of the service has so many characters. */
const LONGEST = '\u{10FFFF}'.repeat(1_024);

/** Returns the first text after all that begin with `prefix`, in the order of code points, as in UTF-8. */
export function endOfPrefix(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  return last === undefined ? LONGEST : String.fromCodePoint(...points, following(last));
}

/** Surrogates are no characters. */
const following = (point: number): number => (point === 0xd7ff ? 0xe000 : point + 1);
