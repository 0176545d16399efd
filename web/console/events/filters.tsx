/** The filters of the events. */
import { useState } from 'preact/hooks';
import { ROLE_NAMES } from '../../../src/callers/admin-scopes.ts';
import { EVENT_TYPES } from '../../../src/features/events/event-types.ts';
import type { Credential, User } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { Dropdown } from '../records/controls.tsx';
import { choiceField, timeField } from '../records/filter-fields.tsx';
import { createFilters, type Filter, findKey, type ListFilters } from '../records/filters.tsx';
import { may, signedIn, useData } from '../session.ts';
import { toLabel, toName, users } from '../users/record.tsx';
import { FoundUsers, UserSearch } from '../users/user-search.tsx';
import { subjectNames } from './subject.ts';

export const EVENTS = '/console/events';

export function linkToEvents(filter: Filter): string {
  return withQuery(EVENTS, filter);
}

const OUTCOMES = { failure: 'Failures', success: 'Successes' } as const;
const ID = /^(?:(?:user|administrator):)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const eventFilters: ListFilters = createFilters(EVENTS, [
  choiceField('type', {
    label: 'Event',
    options: Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { label }]) => [type, label])),
  }),
  choiceField('outcome', { label: 'Outcome', options: OUTCOMES }),
  {
    parameters: {
      actor: {
        chip: 'By',
        // What a person did to their own account, and as an administrator.
        read: (text) => findKey(ACTORS, text) ?? ID.exec(text)?.[1] ?? null,
        format: (actor) => ACTORS[actor] ?? <ActorName id={actor} />,
      },
    },
    Control: ({ filter }) => (
      <ActorChoice key={filter.actor} toPath={(actor) => eventFilters.link({ actor })} />
    ),
  },
  {
    parameters: { subject: { chip: 'About', format: (subject) => <Subject subject={subject} /> } },
    Control: ({ filter }) =>
      may('users:read') ? (
        <UserChoice key={filter.subject} toPath={(id) => eventFilters.link({ subject: `user:${id}` })} />
      ) : null,
  },
  timeField(['from', 'to'], {
    label: 'Time',
    chips: ['From', 'To'],
    spans: ['Last hour', 'Today', 'Last 24 hours', 'Last 7 days', 'Last 30 days'],
  }),
]);

function Subject({ subject }: { readonly subject: string }) {
  if (subject.startsWith('user:')) return <UserName id={subject.slice('user:'.length)} />;
  const [kind = ''] = subject.split(':');
  const names = subjectNames.value[kind];
  return <bdi>{names?.get(subject) ?? (names === undefined ? subject : `a deleted ${kind}`)}</bdi>;
}

/** Users that are erased have only their id. */
function UserName({ id }: { readonly id: string }) {
  const [loaded] = useData<User>(users.pathTo(id));
  return <bdi>{loaded.data === undefined ? id : toLabel(loaded.data)}</bdi>;
}

/** Kinds of actors. */
const ACTORS: Readonly<Record<string, string>> = {
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

function ActorChoice({ toPath }: ActorChoiceProps) {
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
function ActorName({ id }: { readonly id: string }) {
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
function UserChoice({ toPath }: ActorChoiceProps) {
  return (
    <Dropdown icon="filter" label="About">
      <div class="menu choice-panel">
        <UserSearch label="User" hint={HINT} to={toPath} />
      </div>
    </Dropdown>
  );
}
