/** Finds users by what a person types. */
import { useId, useState } from 'preact/hooks';
import type { UserList } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { Dropdown } from '../records/controls.tsx';
import { useView } from '../session.ts';
import { toName } from '../users/record.tsx';
import { DEFAULT_SORT } from '../users/list-view.ts';

const SHOWN = '8';

interface UserSearchProps {
  readonly label: string;
  /** Returns the events of a user. */
  readonly toPath: (id: string) => string;
}

/** The choice of the user whose events are shown. */
export function UserChoice({ label, toPath }: UserSearchProps) {
  return (
    <Dropdown icon="filter" label={label}>
      <div class="menu choice-panel">
        <UserSearch label="User" toPath={toPath} />
      </div>
    </Dropdown>
  );
}

export function UserSearch({ label, toPath }: UserSearchProps) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim();
  return (
    <>
      <div class="field">
        <label for={id}>{label}</label>
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
      {wanted !== '' && (
        <div aria-live="polite">
          <Users filter={{ search: wanted, sort: DEFAULT_SORT }} toPath={toPath}>
            No user is found.
          </Users>
        </div>
      )}
    </>
  );
}

interface UsersProps extends Pick<UserSearchProps, 'toPath'> {
  readonly filter: Readonly<Record<string, string>>;
  /** Shown without any. */
  readonly children?: string;
}

/** Links for a few users of a filter. */
export function Users({ filter, toPath, children }: UsersProps) {
  const [loaded, retry] = useView<UserList>(withQuery('/api/v1/users', { ...filter, limit: SHOWN }));
  if (loaded.state === 'failed')
    return <Failure what="The users could not be loaded" error={loaded.error} retry={retry} />;
  const users = loaded.data?.data;
  return (
    <div class="menu">
      {users?.length === 0 && children && <p class="muted">{children}</p>}
      {users?.map((user) => (
        <Link key={user.id} class="button plain compact" to={toPath(user.id)}>
          <bdi>{toName(user)}</bdi>
          {user.name && user.email && <bdi class="muted">{user.email}</bdi>}
        </Link>
      ))}
    </div>
  );
}
