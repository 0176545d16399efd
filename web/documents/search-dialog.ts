/** The dialog in which the documents are searched: `/` opens it, arrows and Enter choose. */
import type { SearchIndex } from '../../src/features/pages/documents/search-index.ts';
import { createElement } from './create-element.ts';
import { markWords, readExcerpt } from './excerpts.ts';
import { type FoundSection, type FoundSections, findSections, readPlaces } from './find-sections.ts';

const { base: basePath = '', search: indexUrl } = document.documentElement.dataset;

export function addSearch(): void {
  const bar = document.querySelector('.bar');
  if (bar === null || indexUrl === undefined) return;
  const search = createDialog(indexUrl);
  const button = createElement('button', { type: 'button', className: 'open-search' }, [
    createElement('span', {}, ['Search', createElement('span', { className: 'wide' }, [' documents'])]),
    createElement('kbd', { ariaHidden: 'true' }, ['/']),
  ]);
  button.setAttribute('aria-keyshortcuts', '/');
  button.addEventListener('click', search.open);
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.open();
  });
  bar.append(button);
  document.body.append(search.dialog);
}

interface SearchView {
  readonly dialog: HTMLDialogElement;
  readonly field: HTMLInputElement;
  readonly results: HTMLUListElement;
  readonly status: HTMLElement;
}

function createDialog(url: string): { readonly dialog: HTMLDialogElement; readonly open: () => void } {
  const field = createElement('input', {
    type: 'text',
    enterKeyHint: 'search',
    autocomplete: 'off',
    spellcheck: false,
  });
  field.ariaLabel = field.placeholder = 'Search documents';
  const results = createElement('ul', {});
  const status = createElement('p', { className: 'small muted', role: 'status' });
  const dialog = createElement('dialog', { className: 'search-dialog', ariaLabel: 'Search documents' }, [
    field,
    results,
    status,
  ]);
  const view = { dialog, field, results, status };
  const show = createSearch(url, view);
  field.addEventListener('input', show);
  dialog.addEventListener('keydown', (event) => moveFocus(event, view));
  dialog.addEventListener('click', ({ target }) => {
    // The backdrop, or a link: one to this page loads no other.
    if (target === dialog || (target as Element).closest('a') !== null) dialog.close();
  });
  const open = () => {
    if (!dialog.open) dialog.showModal();
    field.select();
    show();
  };
  return { dialog, open };
}

/** Returns a function that shows the results of what is typed. The index is loaded for the first. */
function createSearch(url: string, view: SearchView): () => void {
  let loading: Promise<(search: string) => FoundSections> | undefined;
  const load = async () => {
    const index: SearchIndex = await (await fetch(url)).json();
    const places = readPlaces(index);
    return (search: string) => findSections(index, places, search);
  };
  return async () => {
    loading ??= load();
    try {
      const find = await loading;
      const found = find(view.field.value);
      view.results.replaceChildren(...found.sections.map((section) => createEntry(section, found.words)));
      view.status.textContent = describeResults(found);
    } catch {
      loading = undefined;
      view.status.textContent = 'The index of the documents could not be loaded.';
    }
  };
}

function describeResults({ words, sections, isComplete }: FoundSections): string {
  if (words.length === 0) return 'Searches headings and texts of all documents.';
  if (sections.length === 0) return 'No document has these words.';
  return isComplete ? `${sections.length} sections` : 'No section has all of these words. These have some.';
}

function createEntry(section: FoundSection, words: readonly string[]): HTMLLIElement {
  const { path, id, headings } = section;
  const excerpt = createElement('span', { className: 'excerpt' });
  const link = createElement(
    'a',
    { href: `${basePath}${path}${id === '' ? '' : `#${encodeURIComponent(id)}`}` },
    [
      createElement('small', {}, [headings.slice(0, -1).join(' › ')]),
      createElement('strong', {}, markWords(headings.at(-1)!, words)),
      excerpt,
    ],
  );
  readExcerpt(section, words)
    .then((text) => excerpt.append(...markWords(text, words)))
    .catch(() => excerpt.remove());
  return createElement('li', {}, [link]);
}

/** Arrows move between the field and the results; Enter in the field opens the first. */
function moveFocus(event: KeyboardEvent, { field, results }: SearchView): void {
  const stops: HTMLElement[] = [field, ...results.querySelectorAll('a')];
  const place = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Enter' && place === 0 && !event.isComposing) stops[1]?.click();
  else if (event.key === 'ArrowDown') stops[(place + 1) % stops.length]!.focus();
  else if (event.key === 'ArrowUp') stops.at(place - 1)!.focus();
  else return;
  event.preventDefault();
}
