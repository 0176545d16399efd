/** Keys of all pages, and the dialog that lists them. */
import { useState } from 'preact/hooks';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { navigate, path } from '../../common/router.tsx';
import { moveInList } from '../keyboard/move-in-list.ts';
import { useKeys } from '../keyboard/use-keys.ts';

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
  return isOpen ? <Help onClose={() => setOpen(false)} /> : null;
}

function Help({ onClose }: { readonly onClose: () => void }) {
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
