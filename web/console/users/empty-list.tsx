/** Empty state of the table. */
import { Link } from '../../common/router.tsx';
import { may } from '../permissions.ts';
import { CreateUser } from './create-user.tsx';
import { isFiltered, type ListView, linkTo, NO_FILTER } from './list-view.ts';

interface EmptyListProps {
  readonly view: ListView;
  readonly hasMore: boolean;
  readonly onCreated: () => void;
}

export function EmptyList({ view, hasMore, onCreated }: EmptyListProps) {
  if (hasMore) return <p class="empty">No matches so far. The search continues on the next page.</p>;
  if (!isFiltered(view) && view.cursor === null) {
    return (
      <div class="empty">
        <p>There are no users yet. Create the first one, or wait for a registration.</p>
        {may('users:write') && <CreateUser label="Create the first user" onCreated={onCreated} />}
      </div>
    );
  }
  const all: ListView = { ...view, ...NO_FILTER, cursor: null };
  return (
    <p class="empty">
      {view.search === ''
        ? 'No user matches these filters.'
        : `No name or email contains “${view.search}”, and no id or token begins with it${isFiltered({ ...view, search: '' }) ? ' among those that match the filters' : ''}.`}{' '}
      <Link to={linkTo(all)}>Show all users</Link>
    </p>
  );
}
