/** Chooses the columns of the list, which its URL keeps. */
import { historyState, navigate } from '../../common/router.tsx';
import { Dropdown } from '../records/controls.tsx';
import { COLUMN_IDS, type ColumnId, getColumn, IDENTIFYING } from './columns.tsx';
import { type ListView, linkTo } from './list-view.ts';

export function ColumnChoice({ view }: { readonly view: ListView }) {
  const { columns } = view;
  const toggle = (column: ColumnId) => {
    const shown = COLUMN_IDS.filter((each) => columns.includes(each) !== (each === column));
    navigate(linkTo({ ...view, columns: shown }), { replace: true, state: historyState.value });
  };
  return (
    <Dropdown icon="columns" label="Columns">
      <fieldset>
        <legend class="visually-hidden">Columns</legend>
        {COLUMN_IDS.map((column) => (
          <label key={column} class="option">
            <input
              type="checkbox"
              checked={columns.includes(column)}
              disabled={isLastIdentifying(column, columns)}
              onChange={() => toggle(column)}
            />
            {getColumn(column).title}
          </label>
        ))}
      </fieldset>
    </Dropdown>
  );
}

function isLastIdentifying(column: ColumnId, columns: readonly ColumnId[]): boolean {
  const identifying = IDENTIFYING.filter((each) => columns.includes(each));
  return identifying.length === 1 && identifying[0] === column;
}
