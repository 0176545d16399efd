/** The choice of who has caused the events: a person with a role, a credential, a kind of actors, or any user. */
import { useId, useState } from 'preact/hooks';
import { ROLE_NAMES } from '../../../src/callers/admin-scopes.ts';
import type { Credential, User, UserList } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { may, signedIn } from '../permissions.ts';
import { Dropdown } from '../records/controls.tsx';
import { useView } from '../session.ts';
import { DEFAULT_SORT } from '../users/columns.tsx';
import { toName, users } from '../users/record.tsx';

/** Kinds of actors. */
export const ACTORS: Readonly<Record<string, string>> = {
  administrator: 'Administrators',
  user: 'Users',
  anonymous: 'Anonymous',
  system: 'The service',
};

const CREDENTIALS = '/api/v1/credentials';
type CredentialList = { readonly data: readonly Credential[] };

interface ActorChoiceProps {
  /** Returns the events of an actor. */
  readonly toPath: (actor: string) => string;
}

export function ActorChoice({ toPath }: ActorChoiceProps) {
  const [isOpened, setOpened] = useState(false);
  return (
    <Dropdown icon="filter" label="By" onOpen={() => setOpened(true)}>
      <div class="menu choice-panel">
        {signedIn.value?.id && (
          <Link class="button plain compact" to={toPath(signedIn.value.id)}>
            You
          </Link>
        )}
        {Object.entries(ACTORS).map(([actor, name]) => (
          <Link key={actor} class="button plain compact" to={toPath(actor)}>
            {name}
          </Link>
        ))}
        {isOpened && may('users:read') && (
          <>
            <h2>People with a role</h2>
            {ROLE_NAMES.map((role) => (
              <Users key={role} filter={{ role }} toPath={toPath} />
            ))}
          </>
        )}
        {isOpened && may('admin') && <Credentials toPath={toPath} />}
        {may('users:read') && <UserSearch label="Another user" toPath={toPath} />}
      </div>
    </Dropdown>
  );
}

function Credentials({ toPath }: ActorChoiceProps) {
  const [{ data }] = useView<CredentialList>(CREDENTIALS);
  if (!data?.data.length) return null;
  return (
    <>
      <h2>Credentials</h2>
      {data.data.map(({ id, name }) => (
        <Link key={id} class="button plain compact" to={toPath(id)}>
          <span class="with-icon">
            <Icon name="key" />
            <bdi translate={false}>{name}</bdi>
          </span>
        </Link>
      ))}
    </>
  );
}

/** The name of a user, or else of a credential; the id of those that are gone. */
export function ActorName({ id }: { readonly id: string }) {
  const [loaded] = useView<{ data: User }>(users.pathTo(id));
  if (loaded.data !== undefined) return <bdi translate={false}>{toName(loaded.data.data)}</bdi>;
  if (loaded.state === 'failed' && may('admin')) return <CredentialName id={id} />;
  return <bdi translate={false}>{id}</bdi>;
}

function CredentialName({ id }: { readonly id: string }) {
  const [{ data }] = useView<CredentialList>(CREDENTIALS);
  return <bdi translate={false}>{data?.data.find((each) => each.id === id)?.name ?? id}</bdi>;
}

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

function UserSearch({ label, toPath }: UserSearchProps) {
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
function Users({ filter, toPath, children }: UsersProps) {
  const [loaded, retry] = useView<UserList>(withQuery('/api/v1/users', { ...filter, limit: SHOWN }));
  if (loaded.state === 'failed')
    return <Failure what="The users could not be loaded" error={loaded.error} retry={retry} />;
  const users = loaded.data?.data;
  return (
    <div class="menu">
      {users?.length === 0 && children && <p class="muted">{children}</p>}
      {users?.map((user) => (
        <Link key={user.id} class="button plain compact" to={toPath(user.id)}>
          <bdi translate={false}>{toName(user)}</bdi>
          {user.name && user.email && (
            <bdi translate={false} class="muted">
              {user.email}
            </bdi>
          )}
        </Link>
      ))}
    </div>
  );
}
