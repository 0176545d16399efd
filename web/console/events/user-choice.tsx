/** Finds the user whose events are shown. */
import { useId, useState } from 'preact/hooks';
import type { UserList } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { Dropdown } from '../list/dropdown.tsx';
import { useView } from '../session.ts';
import { toName } from '../user-record.tsx';
import { DEFAULT_SORT } from '../users/list-view.ts';
import { type EventFilter, linkToEvents } from './event-filter.ts';

const SHOWN = '8';

export function UserChoice({ filter }: { readonly filter: EventFilter }) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim();
  return (
    <Dropdown icon="filter" label="User">
      <div class="menu choice-panel">
        <div class="field">
          <label for={id}>User</label>
          <input
            id={id}
            value={text}
            maxLength={255}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={`${id}-hint`}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <small id={`${id}-hint`}>Part of a name or email, or the start of an id</small>
        </div>
        {wanted !== '' && <FoundUsers search={wanted} filter={filter} />}
      </div>
    </Dropdown>
  );
}

function FoundUsers({ search, filter }: { readonly search: string; readonly filter: EventFilter }) {
  const [loaded, retry] = useView<UserList>(
    withQuery('/api/v1/users', { search, limit: SHOWN, sort: DEFAULT_SORT }),
  );
  if (loaded.state === 'failed')
    return <Failure what="The users could not be loaded" error={loaded.error} retry={retry} />;
  const users = loaded.data?.data;
  return (
    <div class="menu" aria-live="polite">
      {users?.length === 0 && <p class="muted">No user is found.</p>}
      {users?.map((user) => (
        <Link
          key={user.id}
          class="button plain compact"
          to={linkToEvents({ ...filter, subject: `user:${user.id}` })}
        >
          <bdi>{toName(user)}</bdi>
          {user.name && user.email && <bdi class="muted">{user.email}</bdi>}
        </Link>
      ))}
    </div>
  );
}
