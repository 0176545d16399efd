/** The index by which browsers search the documents. */

export interface SearchIndex {
  /** Path and title. */
  readonly pages: readonly (readonly [path: string, title: string])[];
  readonly sections: readonly (readonly [page: number, id: string, ...headings: string[]])[];
  /**
   * A line for each word: the numbers of its sections, each as the distance from the one before, in base 36. Words of
   * many sections have no numbers, and distinguish none.
   */
  readonly words: string;
}

/** Returns the words of a text or of a search in it. */
export const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
