/** What documents have in addition with scripts: their search, the choice of colours, buttons that copy code, marks. */
import './documents.css';
import { copyCode, paintAll } from '../common/code.ts';
import { chooseTheme, getTheme, THEMES, type Theme } from '../common/storage.ts';
import { createElement } from './create-element.ts';
import { addSearch } from './search-dialog.ts';

addSearch();
addThemeChoice();
addCopyButtons();
markCurrentSection();
paintAll();

/** Adds the choice of colours, without the components of the console. */
function addThemeChoice(): void {
  const options = Object.entries(THEMES).map(([value, label]) => new Option(label, value));
  const select = createElement('select', { className: 'plain' }, options);
  select.value = getTheme();
  select.addEventListener('change', () => chooseTheme(select.value as Theme));
  const name = createElement('span', { className: 'visually-hidden' }, ['Colours']);
  document.querySelector('.bar')?.append(createElement('label', { className: 'theme' }, [name, ' ', select]));
}

/** Adds a button to each code block that copies its text. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.document .code')) {
    const code = block.querySelector('code');
    const status = createElement('span', { role: 'status' });
    const button = createElement('button', { type: 'button', className: 'compact plain' }, ['Copy']);
    button.addEventListener('click', async () => {
      status.textContent = code && (await copyCode(code, code.textContent));
    });
    button.addEventListener('blur', () => {
      status.textContent = '';
    });
    block.querySelector('figcaption')?.append(status, button);
  }
}

/** Marks the section that is read in the contents. */
function markCurrentSection(): void {
  const links = new Map<string, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents a'))
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  const observer = new IntersectionObserver(
    (entries) => {
      const shown = entries.findLast(({ isIntersecting }) => isIntersecting);
      if (shown === undefined) return;
      for (const [id, link] of links) {
        if (id === shown.target.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const heading of document.querySelectorAll('.document h2[id]')) observer.observe(heading);
}
