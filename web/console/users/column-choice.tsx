/** Chooses the columns of the list, which its URL keeps. */
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../common/icon.tsx';
import { historyState, navigate } from '../../common/router.tsx';
import { COLUMN_NAMES, type ColumnId, IDENTIFYING, type ListView, linkTo } from './list-view.ts';

const ALL = Object.keys(COLUMN_NAMES) as ColumnId[];

export function ColumnChoice({ view }: { readonly view: ListView }) {
  const { columns } = view;
  const details = useClosing();
  const toggle = (column: ColumnId) => {
    const shown = ALL.filter((each) => columns.includes(each) !== (each === column));
    navigate(linkTo({ ...view, columns: shown }), { replace: true, state: historyState.value });
  };
  return (
    <details class="dropdown" ref={details}>
      <summary>
        <Icon name="columns" />
        Columns
      </summary>
      <fieldset>
        <legend class="visually-hidden">Columns</legend>
        {ALL.map((column) => (
          <label key={column} class="option">
            <input
              type="checkbox"
              checked={columns.includes(column)}
              disabled={isLastIdentifying(column, columns)}
              onChange={() => toggle(column)}
            />
            {COLUMN_NAMES[column]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Closes the choice on Escape, and on a press elsewhere. */
function useClosing() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const shown = details.current;
      if (!shown?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : shown.contains(event.target as Node)) return;
      shown.open = false;
      if (!isKey) return;
      event.preventDefault();
      shown.querySelector('summary')?.focus();
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  return details;
}

function isLastIdentifying(column: ColumnId, columns: readonly ColumnId[]): boolean {
  const identifying = columns.filter((each) => IDENTIFYING.includes(each));
  return identifying.length === 1 && identifying[0] === column;
}
