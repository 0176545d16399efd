/** Empty state of the table. */
import { Link } from '../../common/router.tsx';
import { isFiltered } from '../list/filters.tsx';
import { may } from '../permissions.ts';
import { CreateUser } from './create-user.tsx';
import type { ListView } from './list-view.ts';
import { userFilters } from './user-filters.tsx';

interface EmptyListProps {
  readonly view: ListView;
  readonly hasMore: boolean;
  readonly onCreated: () => void;
}

export function EmptyList({ view: { filter, cursor }, hasMore, onCreated }: EmptyListProps) {
  if (hasMore) return <p class="empty">No matches so far. The search continues on the next page.</p>;
  if (!isFiltered(filter) && cursor === null) {
    return (
      <div class="empty">
        <p>There are no users yet. Create the first one, or wait for a registration.</p>
        {may('users:write') && <CreateUser label="Create the first user" onCreated={onCreated} />}
      </div>
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
