/** Words by which users are found: each place of a name or email where a word begins, with the text from there on. */
import { cutText } from './names.ts';

/** Characters of a word that are stored and compared. */
const MAX_WORD_LENGTH = 64;
/** Words of one name or email that are stored: the first ones. */
const MAX_WORDS = 16;

/** Beginnings of words, except at the start of the text, which is searched as a whole. */
const WORD_START = /(?<=[^\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu;

/**
 * Returns the texts from each word on. The first word of a domain begins with its `@`; the top-level domain is left
 * out, because half of all users have the same.
 */
export function toSearchWords(nameKey: string | null, emailKey: string | null): string[] {
  const words = [...wordsOfName(nameKey ?? ''), ...wordsOfEmail(emailKey ?? '')];
  return [...new Set(words.map((word) => cutText(word, MAX_WORD_LENGTH)))];
}

function wordsOfName(key: string): string[] {
  return findWordStarts(key).map((start) => key.slice(start));
}

function wordsOfEmail(key: string): string[] {
  const at = key.lastIndexOf('@');
  if (at === -1) return wordsOfName(key);
  const local = key.slice(0, at);
  const domain = key.slice(at);
  const labels = findWordStarts(domain).filter((start) => start > 1 && start < domain.lastIndexOf('.'));
  return [0, ...labels]
    .map((start) => domain.slice(start))
    .concat(findWordStarts(local).map((start) => key.slice(start)));
}

function findWordStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(WORD_START)) {
    if (starts.push(index) === MAX_WORDS) break;
  }
  return starts;
}

/** Returns the prefixes that words have if the user matches this term: people search domains with or without `@`. */
export function toWordPrefixes(term: string): readonly string[] {
  return [term, `@${term}`].map((prefix) => cutText(prefix, MAX_WORD_LENGTH));
}
