/** The text of a search. */
import { normalizeName } from '../../../../lib/text/names.ts';

export interface SearchTerm {
  /** As given, without surrounding white space. */
  readonly text: string;
  /** Normalized: a part of a name or email, or one or two characters at the beginning of a word. */
  readonly key: string;
  /** The start of an id; null if it cannot be one. */
  readonly idPrefix: string | null;
  /** The first characters of a token; null if it cannot be one. */
  readonly firstCharacters: string | null;
}

/** At least the first group: the first characters are the same for all users of some years. */
const ID_PREFIX = /^[0-9a-f]{8}(?:$|-[0-9a-f-]{0,27}$)/;
/** As `firstCharacters` returns them. */
const TOKEN_PREFIX = /^fd_pat_[0-9A-Za-z]{5}/;

/** Parses the text of a search; its `key` is empty if it has only white space and accents. */
export function parseSearchTerm(given: string): SearchTerm {
  const text = given.trim();
  const id = text.toLowerCase();
  return {
    text,
    key: normalizeName(text),
    idPrefix: ID_PREFIX.test(id) ? id : null,
    firstCharacters: TOKEN_PREFIX.exec(text)?.[0] ?? null,
  };
}
