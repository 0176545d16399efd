/** Keys of all pages, and the dialog that lists them. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { navigate, path } from '../../common/router.tsx';

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl', 'K'], 'Go to a page or a user, or begin an action (⌘ K on a Mac)'],
  [['/'], 'Search users'],
  [['↑', '↓'], 'Move in a list'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
  [['Esc'], 'Clear the search, then the selection'],
  [['?'], 'Show these keys'],
];

export function KeyboardHelp() {
  const [isOpen, setOpen] = useState(false);
  const move = (event: KeyboardEvent) =>
    moveInList(event.key as 'ArrowUp' | 'ArrowDown', event.target as Element);
  useKeys({
    '?': () => void setOpen(true),
    '/': () => void focusSearch(),
    ArrowUp: move,
    ArrowDown: move,
  });
  const onClose = () => setOpen(false);
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="facts">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt class="row">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

const USERS = '/console/users';

/** Focuses the search of the page, or opens the list of users for it. */
function focusSearch(): void {
  const findField = () => document.querySelector<HTMLInputElement>('[type=search]');
  if (findField() === null && path.value !== USERS) navigate(USERS);
  // The view is rendered in a microtask, and focuses its heading.
  requestAnimationFrame(() => {
    findField()?.focus();
    findField()?.select();
  });
}

/** Moves the focus among the rows of a list by the arrow keys. */

const FOCUSABLE = 'a[href], input, button';

/**
 * Moves to the same column of the row above or below; from outside of all lists, to the first row. Returns false if
 * there is no such row, or if the arrow keys mean something else where the focus is.
 */
function moveInList(key: 'ArrowUp' | 'ArrowDown', target: Element): boolean {
  const row = target.closest<HTMLTableRowElement>('.records tbody tr');
  if (row === null)
    // After a list has been opened or searched. Pages without a search scroll by these keys.
    return (
      key === 'ArrowDown' &&
      target.matches('body, h1, main, [type=search]') &&
      document.querySelector('[type=search]') !== null &&
      focus(document.querySelector('.records tbody .main-cell :is(a, button)'))
    );
  const next = findRow(row, key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling');
  if (next === null) return false;
  const column = target.closest('td, th');
  const cell = next.children[column === null ? 0 : [...row.children].indexOf(column)];
  return focus(cell?.querySelector(FOCUSABLE) ?? next.querySelector(FOCUSABLE));
}

/** Returns the next row that is a record, not the detail that is folded out below one. */
function findRow(row: Element, side: 'nextElementSibling' | 'previousElementSibling'): Element | null {
  let next = row[side];
  while (next?.matches('.fold')) next = next[side];
  return next;
}

function focus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** By `KeyboardEvent.key`. A function that returns false leaves the key to others. */
type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => boolean | undefined>>;

/** Not while a dialog or a menu is open, nor with a modifier; letters and signs not while a text is typed. */
export function useKeys(bindings: KeyBindings): void {
  const present = useRef(bindings);
  present.current = bindings;
  // Before what they work on is shown: whoever sees it can press them.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = present.current[event.key];
      if (run === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (document.querySelector('dialog[open], :popover-open') !== null) return;
      if (event.key.length === 1 && isTyping(event.target)) return;
      if (run(event) !== false) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
  );
}
