/** Finds the user whose events are shown. */
import { useId, useState } from 'preact/hooks';
import type { UserList } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { Dropdown } from '../list/dropdown.tsx';
import { useView } from '../session.ts';
import { toName } from '../user-record.tsx';
import { DEFAULT_SORT } from '../users/list-view.ts';

const SHOWN = '8';

interface UserChoiceProps {
  /** Returns the events of a user. */
  readonly toPath: (subject: string) => string;
}

export function UserChoice({ toPath }: UserChoiceProps) {
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
        {wanted !== '' && <FoundUsers search={wanted} toPath={toPath} />}
      </div>
    </Dropdown>
  );
}

function FoundUsers({ search, toPath }: UserChoiceProps & { readonly search: string }) {
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
        <Link key={user.id} class="button plain compact" to={toPath(`user:${user.id}`)}>
          <bdi>{toName(user)}</bdi>
          {user.name && user.email && <bdi class="muted">{user.email}</bdi>}
        </Link>
      ))}
    </div>
  );
}
