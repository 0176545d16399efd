/** The number of users in the list, as far as it is known: a search is not counted. */
import { formatCount } from '../../common/components.tsx';
import { useView } from '../session.ts';
import { STATES, type UserState } from '../user-record.tsx';
import type { ListView } from './list-view.ts';

interface UserCounts {
  readonly users: { readonly total: number; readonly by_state: Readonly<Record<UserState, number>> };
}

interface TotalProps {
  readonly view: ListView;
  /** Increases when users may have been changed. */
  readonly revision: number;
}

export function Total({ view, revision }: TotalProps) {
  const [loaded] = useView<{ data: UserCounts }>('/api/v1/admin/dashboard', revision);
  const users = loaded.data?.data.users;
  if (users === undefined) return <p class="context">{'\u00a0'}</p>;
  const total = `${formatCount(users.total)} ${users.total === 1 ? 'user' : 'users'} in total`;
  const inState =
    view.state === null
      ? ''
      : `, ${formatCount(users.by_state[view.state])} ${STATES[view.state].toLowerCase()}`;
  return <p class="context">{total + inState}</p>;
}
