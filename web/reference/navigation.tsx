/** The menu of operations, with a filter. */
import { useState } from 'preact/hooks';
import { type Group, getName, type Operation } from './description/operations.ts';
import { filterGroups } from './filter-groups.ts';
import { Badge } from './prose.tsx';
import { useCurrentOperation } from './use-current-operation.ts';

export function Navigation({ groups }: { readonly groups: readonly Group[] }) {
  const [filter, setFilter] = useState('');
  const current = useCurrentOperation(groups);
  const closeAfterLink = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link !== null) link.closest('details')!.open = false;
  };
  const shown = filterGroups(groups, filter);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <nav class="guide operations" aria-label="Operations" tabIndex={0}>
      <details>
        <summary>Operations</summary>
        <Filter
          value={filter}
          onInput={setFilter}
          count={shown.flatMap(({ operations }) => operations).length}
        />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click comes from a link, which has the keyboard */}
        <ul class="nav" onClick={closeAfterLink}>
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
