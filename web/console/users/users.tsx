/** The list of users. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { UserList } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { historyState, Link, query } from '../../common/router.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { ExportFile } from '../list/export-file.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { listBulkActions, SelectedUsers } from './bulk/selected-users.tsx';
import { listSelected, useSelection } from './bulk/use-selection.ts';
import { CreateUser } from './create-user.tsx';
import { EmptyList } from './empty-list.tsx';
import { Filters } from './filters.tsx';
import { apiPath, exportPath, isFiltered, type ListView, lastList, linkTo, readView } from './list-view.ts';
import { Pager } from './pager.tsx';
import { formatPosition, getPosition, type Position, Total, useTotals } from './total.tsx';
import { UserTable } from './user-table.tsx';

export function Users() {
  const view = readView(query.value);
  const [list, load] = useView<UserList>(apiPath(view));
  const [revision, setRevision] = useState(0);
  const totals = useTotals(revision);
  const position = list.data && getPosition(view, list.data, totals);
  const isLoading = list.state === 'loading';
  const reload = () => {
    load();
    setRevision(revision + 1);
  };
  Object.assign(lastList, { to: linkTo(view), state: historyState.value });
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Users">Users</ViewHeading>
          <Total view={view} users={totals} position={position} isLoading={list.state !== 'ready'} />
        </div>
        {list.data && list.data.data.length > 0 && (
          <ExportFile
            label={isFiltered(view) ? 'Export matching users (CSV)' : 'Export all (CSV)'}
            path={exportPath(view)}
            mediaType="text/csv"
          />
        )}
        {may('users:write') && <CreateUser onCreated={reload} />}
      </div>
      <Filters view={view} />
      {list.state === 'failed' && (
        <Failure what="The users could not be loaded" error={list.error} retry={reload} />
      )}
      {list.state === 'failed' && view.cursor !== null && (
        <Link to={linkTo({ ...view, cursor: null })}>Go to the first page</Link>
      )}
      {list.data === undefined && list.state === 'loading' && <Loading what="the users" isTable />}
      {list.data !== undefined && (
        <Page view={view} list={list.data} position={position!} isLoading={isLoading} reload={reload} />
      )}
    </>
  );
}

interface PageProps {
  readonly view: ListView;
  readonly list: UserList;
  readonly position: Position;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

function Page({ view, list, position, isLoading, reload }: PageProps) {
  const users = list.data;
  const [selected, setSelected] = useSelection(view);
  const tools = useKeptFocus<HTMLElement>(users.length === 0);
  return (
    <div class={`panel ${isLoading ? 'stale' : ''}`} aria-busy={isLoading}>
      {users.length === 0 ? (
        <EmptyList view={view} hasMore={list.next_cursor !== null} onCreated={reload} />
      ) : (
        <UserTable view={view} users={users} selected={selected} onSelect={setSelected} />
      )}
      <section class="list-tools" aria-label="Actions on the list" tabIndex={-1} ref={tools}>
        <Summary view={view} position={position} isLoading={isLoading} />
        <Pager view={view} count={users.length} next={isLoading ? null : list.next_cursor} />
        {users.length > 0 && listBulkActions().length > 0 && (
          <SelectedUsers
            view={view}
            users={listSelected(selected, users)}
            matching={position.matching}
            offersAll={isOnePageOfMany(view, list) && users.every(({ id }) => selected.has(id))}
            onSelect={setSelected}
            onDone={reload}
          />
        )}
      </section>
    </div>
  );
}

function isOnePageOfMany({ cursor }: ListView, { next_cursor }: UserList): boolean {
  return cursor !== null || next_cursor !== null;
}

interface SummaryProps {
  readonly view: ListView;
  readonly position: Position;
  readonly isLoading: boolean;
}

/** Shows which users of the list are on the page, and receives the focus after a change of the page. */
function Summary({ view, position, isLoading }: SummaryProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const shown = useRef(view.cursor);
  useEffect(() => {
    if (isLoading || shown.current === view.cursor) return;
    shown.current = view.cursor;
    if (isFocusOnPager()) text.current?.focus();
  }, [view.cursor, isLoading]);
  return (
    <p class="summary" role="status" tabIndex={-1} ref={text}>
      {isLoading ? 'Loading…' : formatPosition(position)}
    </p>
  );
}

/** Also when the link that was followed is no longer there. */
function isFocusOnPager(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest('.pager') != null;
}
