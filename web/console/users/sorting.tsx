/** The columns of the list of users, which sort it. */
import type { User } from '../../common/api-types.ts';
import { historyState, Link, navigate } from '../../common/router.tsx';
import { ColumnChoice } from '../records/column-choice.tsx';
import type { Column } from '../records/record-table.tsx';
import {
  COLUMN_IDS,
  type ColumnId,
  getColumn,
  IDENTIFYING,
  isTimeColumn,
  type ListView,
  linkTo,
  listWideColumns,
} from './columns.tsx';

/** Returns the columns of the view, with links that sort. */
export function listColumns(view: ListView): readonly Column<User>[] {
  const wide = listWideColumns(view.columns);
  const identifying = IDENTIFYING.filter((id) => view.columns.includes(id)).sort(
    (one, other) => view.columns.indexOf(one) - view.columns.indexOf(other),
  );
  return view.columns.map((id) => {
    const { class: classes = '', ...column } = getColumn(id);
    return {
      ...column,
      class: wide.includes(id) ? `${classes} wide` : classes,
      isMain: (user) => id === (identifying.find((each) => user[each]) ?? identifying[0]),
      header: column.sort === undefined ? column.title : <SortLink view={view} column={id} />,
      sorted: getSort(id, view),
    };
  });
}

function getSort(id: ColumnId, { sort }: ListView) {
  if (sort.replace('-', '') !== getColumn(id).sort) return undefined;
  return sort.startsWith('-') ? 'descending' : 'ascending';
}

/** Sorts by the column; once more, the other way round. Times begin with the latest. */
function SortLink({ view, column }: { readonly view: ListView; readonly column: ColumnId }) {
  const { sort: member, title } = getColumn(column);
  const present = getSort(column, view);
  const isDescending = present === undefined ? isTimeColumn(column) : present === 'ascending';
  return (
    <Link class="sort" to={linkTo({ ...view, cursor: null, sort: isDescending ? `-${member}` : member! })}>
      {title}
    </Link>
  );
}

export function UserColumnChoice({ view }: { readonly view: ListView }) {
  const { columns } = view;
  const choose = (shown: readonly string[]) =>
    navigate(linkTo({ ...view, columns: shown as readonly ColumnId[] }), {
      ...{ replace: true, state: historyState.value },
    });
  const [identifying, ...others] = IDENTIFYING.filter((each) => columns.includes(each));
  const options = COLUMN_IDS.map((id) => ({
    ...{ id, title: getColumn(id).title, isShown: columns.includes(id) },
    isFixed: id === identifying && others.length === 0,
  }));
  return <ColumnChoice columns={options} onChoose={choose} />;
}
