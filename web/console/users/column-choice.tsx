/** Chooses the columns of the list, which its URL keeps. */
import { historyState, navigate } from '../../common/router.tsx';
import { Dropdown } from '../list/dropdown.tsx';
import { COLUMN_NAMES, type ColumnId, IDENTIFYING, type ListView, linkTo } from './list-view.ts';

const ALL = Object.keys(COLUMN_NAMES) as ColumnId[];

export function ColumnChoice({ view }: { readonly view: ListView }) {
  const { columns } = view;
  const toggle = (column: ColumnId) => {
    const shown = ALL.filter((each) => columns.includes(each) !== (each === column));
    navigate(linkTo({ ...view, columns: shown }), { replace: true, state: historyState.value });
  };
  return (
    <Dropdown icon="columns" label="Columns">
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
    </Dropdown>
  );
}

function isLastIdentifying(column: ColumnId, columns: readonly ColumnId[]): boolean {
  const identifying = columns.filter((each) => IDENTIFYING.includes(each));
  return identifying.length === 1 && identifying[0] === column;
}
