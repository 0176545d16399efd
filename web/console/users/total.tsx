/** The number of users in the list, as far as it is known: a search is not counted. */
import type { Dashboard } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { useView } from '../session.ts';
import { STATES } from '../user-record.tsx';
import type { ListView } from './list-view.ts';

interface TotalProps {
  readonly view: ListView;
  /** Increases when users may have been changed. */
  readonly revision: number;
}

export function Total({ view, revision }: TotalProps) {
  const [loaded] = useView<{ data: Dashboard }>('/api/v1/admin/dashboard', revision);
  const users = loaded.data?.data.users;
  if (users === undefined) return <p class="context">{'\u00a0'}</p>;
  const total = `${formatCount(users.total)} ${users.total === 1 ? 'user' : 'users'} in total`;
  const inState =
    view.state === null
      ? ''
      : `, ${formatCount(users.by_state[view.state])} ${STATES[view.state].toLowerCase()}`;
  return <p class="context">{total + inState}</p>;
}
