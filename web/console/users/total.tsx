/** The number of users in the list, as far as it is known: a search is not counted. */
import type { Dashboard } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { useView } from '../session.ts';
import { STATES } from '../user-record.tsx';
import { isFiltered, type ListView } from './list-view.ts';

type Totals = Dashboard['users'];

/** Returns undefined while they load. @param revision increases when users may have been changed */
export function useTotals(revision: number): Totals | undefined {
  const [loaded] = useView<{ data: Dashboard }>('/api/v1/admin/dashboard', revision);
  return loaded.data?.data.users;
}

/** Returns the number of users that match; null if it is not known. */
export function countMatching(view: ListView, users: Totals | undefined): number | null {
  if (users === undefined || isFiltered({ ...view, state: null })) return null;
  return view.state === null ? users.total : users.by_state[view.state];
}

interface TotalProps {
  readonly view: ListView;
  readonly users: Totals | undefined;
}

export function Total({ view, users }: TotalProps) {
  if (users === undefined) return <p class="context">{'\u00a0'}</p>;
  const total = `${formatCount(users.total)} ${users.total === 1 ? 'user' : 'users'} in total`;
  const inState =
    view.state === null
      ? ''
      : `, ${formatCount(users.by_state[view.state])} ${STATES[view.state].toLowerCase()}`;
  return <p class="context">{total + inState}</p>;
}
