/** The choice of who has caused the events: a person with a role, a credential, a kind of actors, or any user. */
import { useState } from 'preact/hooks';
import { ROLE_NAMES } from '../../../src/callers/admin-scopes.ts';
import type { Credential, User } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';
import { Dropdown } from '../records/controls.tsx';
import { may, signedIn, useData } from '../session.ts';
import { toName, users } from '../users/record.tsx';
import { FoundUsers, UserSearch } from '../users/user-search.tsx';

/** Kinds of actors. */
export const ACTORS: Readonly<Record<string, string>> = {
  administrator: 'Administrators',
  user: 'Users',
  anonymous: 'Anonymous',
  system: 'The service',
};

const CREDENTIALS = '/api/v1/credentials';

const HINT = 'Part of a name or email, or the start of an id';

interface ActorChoiceProps {
  /** Returns the events of an actor or user. */
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
              <FoundUsers key={role} filter={{ role }} to={toPath} />
            ))}
          </>
        )}
        {isOpened && may('admin') && <Credentials toPath={toPath} />}
        {may('users:read') && <UserSearch label="Another user" hint={HINT} to={toPath} />}
      </div>
    </Dropdown>
  );
}

function Credentials({ toPath }: ActorChoiceProps) {
  const [{ data }] = useData<readonly Credential[]>(CREDENTIALS);
  if (!data?.length) return null;
  return (
    <>
      <h2>Credentials</h2>
      {data.map(({ id, name }) => (
        <Link key={id} class="button plain compact" to={toPath(id)}>
          <span class="with-icon">
            <Icon name="key" />
            <bdi>{name}</bdi>
          </span>
        </Link>
      ))}
    </>
  );
}

/** The name of a user, or else of a credential; the id of those that are gone. */
export function ActorName({ id }: { readonly id: string }) {
  const [loaded] = useData<User>(users.pathTo(id));
  if (loaded.data !== undefined) return <bdi>{toName(loaded.data)}</bdi>;
  if (loaded.state === 'failed' && may('admin')) return <CredentialName id={id} />;
  return <bdi>{id}</bdi>;
}

function CredentialName({ id }: { readonly id: string }) {
  const [{ data }] = useData<readonly Credential[]>(CREDENTIALS);
  return <bdi>{data?.find((each) => each.id === id)?.name ?? id}</bdi>;
}

/** The choice of the user whose events are shown. */
export function UserChoice({ toPath }: ActorChoiceProps) {
  return (
    <Dropdown icon="filter" label="About">
      <div class="menu choice-panel">
        <UserSearch label="User" hint={HINT} to={toPath} />
      </div>
    </Dropdown>
  );
}
