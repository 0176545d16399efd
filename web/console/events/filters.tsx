/** The filters of the events. */
import { EVENT_TYPES } from '../../../src/features/events/event-types.ts';
import type { User } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import { choiceField, hoursAgo, timeField } from '../records/filter-fields.tsx';
import { createFilters, type Filter, findKey, type ListFilters } from '../records/filters.tsx';
import { may, useData } from '../session.ts';
import { toLabel, users } from '../users/record.tsx';
import { ACTORS, ActorChoice, ActorName, UserChoice } from './choices.tsx';
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
    spans: {
      'Last hour': () => hoursAgo(1),
      Today: () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString(),
      'Last 24 hours': () => hoursAgo(24),
      'Last 7 days': () => hoursAgo(7 * 24),
      'Last 30 days': () => hoursAgo(30 * 24),
    },
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
