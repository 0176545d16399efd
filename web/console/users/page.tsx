/** The list of users. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { User, UserList } from '../../common/api-types.ts';
import { PageHead } from '../../common/components.tsx';
import { historyState, Link } from '../../common/router.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import type { Loaded } from '../../common/use-load.ts';
import { ExportMenu, SPREADSHEET } from '../records/export-file.tsx';
import { Filters, isFiltered } from '../records/filters.tsx';
import { Empty, RecordList } from '../records/record-list.tsx';
import type { Selected } from '../records/selection.tsx';
import { may, useView } from '../session.ts';
import { listBulkActions, listSelected, SelectedUsers, useSelection } from './bulk/selection.tsx';
import { apiPath, exportPath, type ListView, linkTo, listColumns, UserColumnChoice } from './columns.tsx';
import { CreateUser } from './create-user.tsx';
import { readView, userFilters } from './filters.tsx';
import {
  formatPosition,
  getPosition,
  Pager,
  type Position,
  Total,
  useCount,
  useTotals,
} from './position.tsx';
import { toLabel, users } from './record.tsx';

const FORMATS = [
  SPREADSHEET,
  { name: 'CSV', hint: 'for programs', mediaType: 'text/csv', parameters: { format: 'csv' } },
];

export function Users() {
  const view = readView();
  const [list, load] = useView<UserList>(apiPath(view));
  const [revision, setRevision] = useState(0);
  const totals = useTotals(revision);
  const counted = useCount(view, revision);
  const position = list.data && getPosition(view, list.data, { users: totals, counted });
  const reload = () => {
    load();
    setRevision(revision + 1);
  };
  Object.assign(users.list, { to: linkTo(view), state: historyState.value });
  return (
    <>
      <PageHead
        title="Users"
        context={<Total view={view} users={totals} position={position} isLoading={list.state !== 'ready'} />}
      >
        {may('users:export') && list.data && list.data.data.length > 0 && (
          <ExportMenu
            label={isFiltered(view.filter) ? 'Export matching users' : 'Export all users'}
            formats={FORMATS}
            toPath={(parameters) => exportPath(view, parameters)}
          />
        )}
        {may('users:write') && <CreateUser onCreated={reload} />}
      </PageHead>
      <Filters filters={userFilters} class="many" beside={<UserColumnChoice view={view} />} />
      {list.state === 'failed' && view.cursor !== null && (
        <Link to={linkTo({ ...view, cursor: null })}>Go to the first page</Link>
      )}
      <UserPage view={view} list={list} position={position} reload={reload} />
    </>
  );
}

interface UserPageProps {
  readonly view: ListView;
  readonly list: Loaded<UserList>;
  readonly position: Position | undefined;
  readonly reload: () => void;
}

function UserPage({ view, list, position, reload }: UserPageProps) {
  const { data: items = [], next_cursor: next = null } = list.data ?? {};
  const [selected, onSelect] = useSelection(view);
  const isSelectable = Object.keys(listBulkActions()).length > 0;
  return (
    <RecordList
      class="users"
      nouns={['user', 'users']}
      pages={{ state: list, shown: list.data && { items, next }, reload }}
      columns={listColumns(view)}
      to={({ id }) => users.link(id)}
      selection={
        isSelectable ? { label: 'Select all on this page', getName: toLabel, selected, onSelect } : undefined
      }
      empty={<EmptyList view={view} hasMore={next !== null} />}
      footer={
        <Tools {...{ view, position: position!, selected, next }} isLoading={list.state === 'loading'}>
          {items.length > 0 && isSelectable && (
            <SelectedUsers
              view={view}
              users={listSelected(selected, items)}
              matching={position!.matching}
              offersAll={(view.cursor ?? next) !== null && items.every(({ id }) => selected.has(id))}
              onSelect={onSelect}
              onDone={reload}
            />
          )}
        </Tools>
      }
    />
  );
}

interface ToolsProps {
  readonly view: ListView;
  readonly position: Position;
  readonly selected: Selected<User>;
  readonly isLoading: boolean;
  readonly next: string | null;
  readonly children: ComponentChildren;
}

/** The summary says which users of the list are on the page, and receives the focus after a change of the page. */
function Tools({ view, position, selected, isLoading, next, children }: ToolsProps) {
  const tools = useKeptFocus<HTMLElement>(`${position.count === 0} ${selected.size === 0}`);
  const summary = useRef<HTMLParagraphElement>(null);
  const shown = useRef(view.cursor);
  useEffect(() => {
    if (isLoading || shown.current === view.cursor) return;
    shown.current = view.cursor;
    const { activeElement } = document;
    // Also when the link that was followed is no longer there.
    if (activeElement === document.body || activeElement?.closest('.pager')) summary.current?.focus();
  }, [view.cursor, isLoading]);
  const text = isLoading ? 'Loading…' : formatPosition(position);
  return (
    <section class="list-tools" aria-label="Actions on the list" tabIndex={-1} ref={tools}>
      <p class="summary" role="status" tabIndex={-1} ref={summary}>
        <span key={text}>{text}</span>
      </p>
      <Pager view={view} count={position.count} next={isLoading ? null : next} />
      {children}
    </section>
  );
}

function EmptyList({ view: { filter, cursor }, hasMore }: Readonly<{ view: ListView; hasMore: boolean }>) {
  if (hasMore) return <p class="empty">No matches so far. The search continues on the next page.</p>;
  if (!isFiltered(filter) && cursor === null) {
    return (
      <Empty
        icon="users"
        title="No users yet"
        action={may('users:write') ? 'Create user' : null}
        docs="/docs/import"
      >
        People appear here when they register, and when you create or import them.
      </Empty>
    );
  }
  const { search = null, ...others } = filter;
  return (
    <p class="empty">
      {search === null
        ? 'No user matches these filters.'
        : `No name or email contains “${search}”, and no id or token begins with it${isFiltered(others) ? ' among those that match the filters' : ''}.`}{' '}
      <Link to={userFilters.clear()}>Show all users</Link>
    </p>
  );
}
