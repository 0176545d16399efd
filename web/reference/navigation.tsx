/** The menu of operations, with a filter. */
import { useEffect, useState } from 'preact/hooks';
import { type Group, getName, type Operation } from './description/operations.ts';
import { filterGroups } from './filter-groups.ts';
import { Badge } from './prose.tsx';
import { useCurrentOperation } from './use-current-operation.ts';

/** Wide windows show the menu beside the content; in others it opens like a drop-down. */
const WIDE = matchMedia('(min-width: 64rem)');

export function Navigation({ groups }: { readonly groups: readonly Group[] }) {
  const [isOpen, setOpen] = useState(WIDE.matches);
  const [filter, setFilter] = useState('');
  const current = useCurrentOperation(groups);
  useEffect(() => {
    const follow = () => setOpen(WIDE.matches);
    WIDE.addEventListener('change', follow);
    return () => WIDE.removeEventListener('change', follow);
  }, []);
  const closeAfterLink = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a') && !WIDE.matches) setOpen(false);
  };
  const shown = filterGroups(groups, filter);
  return (
    <nav class="operations" id="reference-navigation" aria-label="Operations">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Operations</summary>
        <Filter
          value={filter}
          onInput={setFilter}
          count={shown.flatMap(({ operations }) => operations).length}
        />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click comes from a link, which has the keyboard */}
        <ul onClick={closeAfterLink}>
          {shown.map((group) => (
            <li key={group.tag}>
              <a href={`#tag-${groups.findIndex(({ tag }) => tag === group.tag)}`} class="tag">
                {group.tag}
              </a>
              <ul>
                {group.operations.map((operation) => (
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

interface FilterProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Number of operations that match. */
  readonly count: number;
}

function Filter({ value, onInput, count }: FilterProps) {
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
        {value === ''
          ? ''
          : count === 0
            ? 'No operation has this in its name or path.'
            : `${count} operations`}
      </p>
    </div>
  );
}

interface EntryProps {
  readonly operation: Operation;
  readonly isCurrent: boolean;
}

function Entry({ operation, isCurrent }: EntryProps) {
  const { id, method, path } = operation;
  return (
    <li>
      <a href={`#${id}`} title={`${method} ${path}`} aria-current={isCurrent ? 'true' : undefined}>
        <span>{getName(operation)}</span> <Badge method={method} />
      </a>
    </li>
  );
}
