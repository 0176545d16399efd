/** Empty state of the table. */
import { Link } from '../../common/router.tsx';
import { Empty } from '../list/empty.tsx';
import { isFiltered } from '../records/filters.tsx';
import { may } from '../permissions.ts';
import type { ListView } from './list-view.ts';
import { userFilters } from './filters.tsx';

interface EmptyListProps {
  readonly view: ListView;
  readonly hasMore: boolean;
}

export function EmptyList({ view: { filter, cursor }, hasMore }: EmptyListProps) {
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
