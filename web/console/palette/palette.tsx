/**
 * The command palette: opens pages and users by keyboard. A combobox with a list box, as in the ARIA Authoring
 * Practices (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): the focus stays in the field.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { Icon } from '../../common/icon.tsx';
import { may } from '../session.ts';
import {
  type FoundUsers,
  groupEntries,
  isPaletteOpen,
  openEntry,
  openPalette,
  type PaletteEntry,
  useFoundUsers,
} from './entries.ts';

/** Opens by Ctrl+K or ⌘+K, also while a text is typed, but not above another dialog. */
export function Palette() {
  // Before the frame is shown: whoever sees it can press them.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isModified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isModified || event.key.toLowerCase() !== 'k') return;
      // Otherwise browsers focus their own search.
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) openPalette();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return isPaletteOpen.value ? <PaletteDialog onClose={() => (isPaletteOpen.value = false)} /> : null;
}

type PaletteState = ReturnType<typeof usePalette>;

function usePalette(onClose: () => void) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const found = useFoundUsers(text);
  const groups = groupEntries(text, found.users);
  const entries = groups.flatMap((group) => group.entries);
  /** Index of the entry that Enter opens; -1 without entries. */
  const current = Math.min(active, entries.length - 1);
  const onText = (typed: string) => {
    setText(typed);
    setActive(0);
  };
  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    openEntry(entry);
  };
  const press = (event: KeyboardEvent) => {
    const { length } = entries;
    const step = { ArrowDown: 1, ArrowUp: length - 1 }[event.key];
    // The Enter that ends the composition of a character chooses nothing.
    if (event.key === 'Enter' && !event.isComposing) open(entries[current]);
    else if (step !== undefined && length > 0) setActive((current + step) % length);
    else return;
    event.preventDefault();
  };
  return { text, onText, groups, entries, found, current, open, press };
}

function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const palette = usePalette(onClose);
  const { groups, entries, found, current, open } = palette;
  const id = useId();
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div class="palette stack tight">
        <PaletteField id={id} {...palette} />
        <div class="entries" role="listbox" id={`${id}-list`} aria-label="Users, pages and actions">
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: options of a list box have groups, not field sets
            <div key={group.title} role="group" aria-label={group.title}>
              <p class="context" aria-hidden="true">
                {group.title}
              </p>
              {group.entries.map((entry) => (
                <Entry
                  key={entry.to + entry.label}
                  id={`${id}-${entries.indexOf(entry)}`}
                  entry={entry}
                  isActive={entries[current] === entry}
                  onOpen={() => open(entry)}
                />
              ))}
            </div>
          ))}
        </div>
        <p class="muted" role="status">
          {describeResults(entries, found)}
        </p>
      </div>
    </Dialog>
  );
}

function PaletteField({ id, text, onText, entries, current, press }: PaletteState & { readonly id: string }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <input
      ref={field}
      type="text"
      role="combobox"
      aria-label={may('users:read') ? 'User, page or action' : 'Page or action'}
      aria-expanded={entries.length > 0}
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={current < 0 ? undefined : `${id}-${current}`}
      placeholder={may('users:read') ? 'Name, email, id or token of a user; page; action' : 'Page or action'}
      autocomplete="off"
      spellcheck={false}
      maxLength={255}
      value={text}
      onKeyDown={press}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

function describeResults(entries: readonly PaletteEntry[], { isSearching, error }: FoundUsers): string {
  if (error !== null) return `The users could not be searched: ${error.message}`;
  if (isSearching) return 'Searching users…';
  const count = entries.filter(({ icon }) => icon !== 'search').length;
  if (count === 0) return 'Nothing is found.';
  return `${count < entries.length ? 'The first ' : ''}${count} found. Enter opens, Esc closes.`;
}

interface EntryProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  readonly onOpen: () => void;
}

function Entry({ id, entry, isActive, onOpen }: EntryProps) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the field points at it by aria-activedescendant
    <div class="entry row" id={id} role="option" aria-selected={isActive} onClick={onOpen} ref={item}>
      <Icon name={entry.icon} />
      <span>
        <bdi>{entry.label}</bdi>
      </span>
      {entry.note && (
        <small class="muted end">
          <bdi>{entry.note}</bdi>
        </small>
      )}
    </div>
  );
}
