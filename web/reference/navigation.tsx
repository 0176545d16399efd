/** The menu of operations, with a filter. Its links choose the group that is shown. */
import { useEffect, useState } from 'preact/hooks';
import type { Group, Operation } from './description.ts';
import { Badge } from './prose.tsx';

/**
 * Returns the group that the fragment of the URL belongs to: that of an operation, or of a heading. Other fragments
 * leave it, and without one it is the first.
 */
export function useGroup(groups: readonly Group[]): Group {
  const [group, setGroup] = useState(groups[0]!);
  useEffect(() => {
    const follow = () => {
      const target = location.hash.slice(1);
      const has = ({ id, operations }: Group) =>
        id === target || operations.some((operation) => operation.id === target);
      setGroup((last) => (target === '' ? groups[0]! : (groups.find(has) ?? last)));
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [groups]);
  return group;
}

/** Returns the groups with the operations that have every word of the filter; groups without any are left out. */
function filterGroups(groups: readonly Group[], filter: string): Group[] {
  const words = filter.toLowerCase().split(/\s+/);
  const matches = ({ id, name, method, path }: Operation, tag: string) => {
    const text = `${name} ${id} ${method} ${path} ${tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter((each) => matches(each, group.tag)) }))
    .filter(({ operations }) => operations.length > 0);
}

/** Returns the id of the operation at the top of the window. */
function useCurrentOperation(group: Group): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const shown = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (shown) setCurrent(shown.target.id);
      },
      { rootMargin: '-15% 0px -80% 0px' },
    );
    for (const section of document.querySelectorAll('.operation')) observer.observe(section);
    return () => observer.disconnect();
  }, [group]);
  useEffect(() => {
    const mark = document.querySelector<HTMLElement>('.operations [aria-current]');
    if (mark !== null) showInMenu(mark);
  }, [current]);
  return current;
}

/** Scrolls a long menu to an entry of it. `scrollIntoView` would also scroll the page, away from the text that is read. */
function showInMenu(entry: HTMLElement): void {
  const menu = entry.closest('.operations')!;
  const { top, bottom } = entry.getBoundingClientRect();
  const first = menu.querySelector('.filter')!.getBoundingClientRect().bottom;
  const last = menu.getBoundingClientRect().bottom;
  if (top < first) menu.scrollTop += top - first;
  else if (bottom > last) menu.scrollTop += bottom - last;
}

export function Navigation({ groups, shown }: Readonly<{ groups: readonly Group[]; shown: Group }>) {
  const [filter, setFilter] = useState('');
  const current = useCurrentOperation(shown);
  const closeAfterLink = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link !== null) link.closest('details')!.open = false;
  };
  const found = filterGroups(groups, filter);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <nav class="guide operations" aria-label="Operations" tabIndex={0}>
      <details>
        <summary>Operations</summary>
        <Filter
          value={filter}
          onInput={setFilter}
          count={found.flatMap(({ operations }) => operations).length}
        />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click comes from a link, which has the keyboard */}
        <ul class="nav" onClick={closeAfterLink}>
          {found.map(({ id, tag, operations }) => (
            <li key={tag}>
              <a href={`#${id}`} class="tag">
                {tag}
              </a>
              <ul>
                {operations.map((operation) => (
                  <Entry key={operation.id} operation={operation} isCurrent={operation.id === current} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

interface EntryProps {
  readonly operation: Operation;
  readonly isCurrent: boolean;
}

function Entry({ operation: { id, name, method, path }, isCurrent }: EntryProps) {
  return (
    <li>
      <a href={`#${id}`} title={`${method} ${path}`} aria-current={isCurrent ? 'true' : undefined}>
        <span>{name}</span> <Badge method={method} />
      </a>
    </li>
  );
}

interface FilterProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Number of operations that match. */
  readonly count: number;
}

function Filter({ value, onInput, count }: FilterProps) {
  const found = count === 0 ? 'No operation has this in its name or path.' : `${count} operations`;
  return (
    <div class="filter">
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter operations"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onInput('')}
      />
      <p role="status" class={count === 0 ? 'muted' : 'visually-hidden'}>
        {value === '' ? '' : found}
      </p>
    </div>
  );
}
