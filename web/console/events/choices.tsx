/** The choice of who has caused the events: a person with a role, a credential, a kind of actors, or any user. */
import { useState } from 'preact/hooks';
import { ROLE_NAMES } from '../../../src/callers/admin-scopes.ts';
import type { Credential, User } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';
import { Dropdown } from '../records/controls.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { toName, userPath } from '../users/record.tsx';
import { UserSearch, Users } from './user-choice.tsx';

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
            <bdi>{name}</bdi>
          </span>
        </Link>
      ))}
    </>
  );
}

/** The name of a user, or else of a credential; the id of those that are gone. */
export function ActorName({ id }: { readonly id: string }) {
  const [loaded] = useView<{ data: User }>(userPath(id));
  if (loaded.data !== undefined) return <bdi>{toName(loaded.data.data)}</bdi>;
  if (loaded.state === 'failed' && may('admin')) return <CredentialName id={id} />;
  return <bdi>{id}</bdi>;
}

function CredentialName({ id }: { readonly id: string }) {
  const [{ data }] = useView<CredentialList>(CREDENTIALS);
  return <bdi>{data?.data.find((each) => each.id === id)?.name ?? id}</bdi>;
}
