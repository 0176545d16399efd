/** Excerpts of found sections, from the pages that have them. They are cached, and the browser opens them at once. */
import type { FoundSection } from './find-sections.ts';

const basePath = document.documentElement.dataset.base ?? '';
const pages = new Map<string, Promise<Document>>();

function readPage(path: string): Promise<Document> {
  const known = pages.get(path);
  if (known !== undefined) return known;
  const reading = fetch(basePath + path, { headers: { accept: 'text/html' } })
    .then((response) => response.text())
    .then((text) => new DOMParser().parseFromString(text, 'text/html'));
  pages.set(path, reading);
  reading.catch(() => pages.delete(path));
  return reading;
}

const LENGTH = 150;
const LENGTH_BEFORE = 50;

/** Returns the part of the section that has the most of the words; empty if there is none. */
export async function readExcerpt({ path, id }: FoundSection, words: readonly string[]): Promise<string> {
  const page = await readPage(path);
  const texts = listTexts(page.getElementById(id));
  const best = texts.toSorted((one, other) => countWords(other, words) - countWords(one, words))[0] ?? '';
  const starts = [...best.matchAll(toPattern(words))].map(({ index }) => Math.max(0, index - LENGTH_BEFORE));
  const cut = (start: number) => best.slice(start, start + LENGTH);
  const [start = 0] = starts.toSorted(
    (one, other) => countWords(cut(other), words) - countWords(cut(one), words),
  );
  const from = start === 0 ? 0 : best.indexOf(' ', start) + 1;
  return `${from === 0 ? '' : '… '}${cut(from)}${from + LENGTH < best.length ? '…' : ''}`;
}

const countWords = (text: string, words: readonly string[]) =>
  words.filter((word) => toPattern([word]).test(text)).length;

/** Returns the texts between a heading and the next: paragraphs, items, rows, code. */
function listTexts(heading: Element | null): string[] {
  const texts: string[] = [];
  for (
    let each = heading?.nextElementSibling;
    each && !/^H\d$/.test(each.tagName);
    each = each.nextElementSibling
  ) {
    const parts = each.matches('ul, ol, .scroll')
      ? [...each.querySelectorAll('li, tr')]
      : [each.querySelector('pre') ?? each];
    texts.push(...parts.map((part) => part.textContent.replaceAll(/\s+/g, ' ').trim()));
  }
  return texts;
}

const toPattern = (words: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})[\\p{L}\\p{N}_]*`, 'giu');

/** Returns the text as nodes, with the words that begin with those of the search marked. */
export function markWords(text: string, words: readonly string[]): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(toPattern(words))) {
    const mark = document.createElement('mark');
    mark.textContent = word;
    nodes.push(new Text(text.slice(end, index)), mark);
    end = index + word.length;
  }
  return [...nodes, new Text(text.slice(end))];
}
