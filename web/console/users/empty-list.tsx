/** Empty state of the table. */
import { Link } from '../../common/router.tsx';
import { CreateUser } from './create-user.tsx';
import { type ListView, linkTo } from './list-view.ts';

interface EmptyListProps {
  readonly view: ListView;
  readonly hasMore: boolean;
  readonly onCreated: () => void;
}

export function EmptyList({ view, hasMore, onCreated }: EmptyListProps) {
  if (hasMore) return <p class="empty">No matches so far. The search continues on the next page.</p>;
  const isFiltered = view.search !== '' || view.state !== null || view.cursor !== null;
  if (!isFiltered) {
    return (
      <div class="empty">
        <p>There are no users yet. Create the first one, or wait for a registration.</p>
        <CreateUser label="Create the first user" onCreated={onCreated} />
      </div>
    );
  }
  const all: ListView = { ...view, search: '', state: null, cursor: null };
  return (
    <p class="empty">
      {view.search === ''
        ? 'No users are in this state.'
        : `No email and no name begins with “${view.search}”`}
      {view.search !== '' && (view.state === null ? '.' : ' in this state.')}{' '}
      <Link to={linkTo(all)}>Show all users</Link>
    </p>
  );
}
