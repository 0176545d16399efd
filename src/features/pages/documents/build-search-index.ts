/** Builds the index by which browsers search the documents: their headings, and the sections that have each word. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_TITLES } from './document-list.ts';
import { readSections } from './markdown-page.ts';
import { type SearchIndex, splitWords } from './search-index.ts';

const DIRECTORY = join(import.meta.dirname, '..', '..', '..', '..', 'docs');

/** Files of all documents. */
export const DOCUMENT_FILES = [...DOCUMENT_TITLES.keys()].map((path) =>
  join(DIRECTORY, path === '/' ? 'index.md' : path.replace(/^\/docs\/(.+)$/, '$1.md')),
);

export async function buildSearchIndex(): Promise<SearchIndex> {
  const pages = [...DOCUMENT_TITLES];
  const texts = await Promise.all(DOCUMENT_FILES.map((file) => readFile(file, 'utf8')));
  const all = texts.flatMap((text, page) => readSections(text).map((section) => ({ page, ...section })));
  const places = new Map<string, number[]>();
  for (const [number, { headings, text }] of all.entries()) {
    for (const word of new Set(splitWords(`${headings.at(-1)} ${text}`)))
      places.set(word, [...(places.get(word) ?? []), number]);
  }
  const lines = [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, numbers]) => (numbers.length > all.length / 5 ? word : formatLine(word, numbers)));
  const sections = all.map(({ page, id, headings }) => [page, id, ...headings.slice(1)] as const);
  return { pages, sections, words: lines.join('\n') };
}

function formatLine(word: string, numbers: readonly number[]): string {
  const distances = numbers.map((number, index) => number - (numbers[index - 1] ?? 0));
  return [word, ...distances.map((distance) => distance.toString(36))].join(' ');
}
