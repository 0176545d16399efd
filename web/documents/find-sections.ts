/** Finds the sections of documents that have all words of a search. */
import { type SearchIndex, splitWords } from '../../src/features/pages/documents/search-index.ts';

export interface FoundSection {
  readonly path: string;
  /** Id of the heading; empty for the beginning of a document. */
  readonly id: string;
  /** The title of the document, and the headings that lead to the section. */
  readonly headings: readonly string[];
}

/** Numbers of the sections by word. */
type Places = ReadonlyMap<string, readonly number[]>;

export function readPlaces({ words }: Pick<SearchIndex, 'words'>): Places {
  return new Map(words.split('\n').map(readLine));
}

function readLine(line: string): [word: string, numbers: number[]] {
  const [word = '', ...distances] = line.split(' ');
  let number = 0;
  return [
    word,
    distances.map((distance) => {
      number += Number.parseInt(distance, 36);
      return number;
    }),
  ];
}

const MAX_FOUND = 8;
/** A heading says more about a section than a word in its text. */
const WEIGHTS = { heading: 12, around: 3, word: 2, beginning: 1 };

export interface FoundSections {
  readonly words: readonly string[];
  readonly sections: readonly FoundSection[];
  /** Whether the first of them has all words. */
  readonly isComplete: boolean;
}

/** Returns the sections with words that begin with those of the search: those with the most of them first. */
export function findSections(index: SearchIndex, places: Places, search: string): FoundSections {
  const words = splitWords(search);
  const sections = index.sections.map(([page, id, ...headings]) => {
    const [path, title] = index.pages[page]!;
    return { path, id, headings: [title, ...headings] };
  });
  const scores = words.map((word) => scoreSections(word, sections, places));
  // A word of too many sections distinguishes them by their headings only.
  const required = scores.filter((_, number) => places.get(words[number]!)?.length !== 0);
  const ranked = sections
    .map((section, number) => ({
      section,
      count: required.filter((each) => each[number]! > 0).length,
      score: scores.reduce((sum, each) => sum + each[number]!, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.count - one.count || other.score - one.score)
    .filter(({ count }, _, [first]) => count === first!.count);
  return {
    words,
    sections: ranked.slice(0, MAX_FOUND).map(({ section }) => section),
    isComplete: ranked[0]?.count === required.length,
  };
}

/** Returns how well a word fits each section. */
function scoreSections(word: string, sections: readonly FoundSection[], places: Places): number[] {
  const has = (text: string) => splitWords(text).some((each) => each.startsWith(word));
  const scores = sections.map(({ headings }) => {
    const around = headings.slice(0, -1).some(has) ? WEIGHTS.around : 0;
    return has(headings.at(-1)!) ? WEIGHTS.heading / headings.length + around : around;
  });
  for (const [each, numbers] of places) {
    if (!each.startsWith(word)) continue;
    for (const number of numbers) scores[number]! += each === word ? WEIGHTS.word : WEIGHTS.beginning;
  }
  return scores;
}
