/** The filters of the events. */
import { EVENT_TYPES } from '../../../src/features/events/event-types.ts';
import type { User } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import { choiceField, hoursAgo, timeField } from '../list/filter-fields.tsx';
import { createFilters, type Filter, type ListFilters } from '../list/filters.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { toLabel, userPath } from '../user-record.tsx';
import { subjectNames } from './subject-names.ts';
import { UserChoice } from './user-choice.tsx';

export const EVENTS = '/console/events';

export function linkToEvents(filter: Filter): string {
  return withQuery(EVENTS, filter);
}

const OUTCOMES = { failure: 'Failures', success: 'Successes' } as const;
const ACTORS: Readonly<Record<string, string>> = {
  administrator: 'Administrators',
  user: 'Users',
  anonymous: 'Not logged in',
  system: 'The service',
};

export const eventFilters: ListFilters = createFilters(EVENTS, [
  choiceField('type', {
    label: 'Event',
    options: Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { label }]) => [type, label])),
  }),
  choiceField('outcome', { label: 'Outcome', options: OUTCOMES }),
  choiceField('actor', {
    label: 'By',
    all: 'Anybody',
    options: ACTORS,
    nameOther: (actor) => (actor.startsWith('user:') ? 'One user' : undefined),
    format: (actor) => ACTORS[actor] ?? <Subject subject={actor} />,
  }),
  {
    parameters: { subject: { chip: 'About', format: (subject) => <Subject subject={subject} /> } },
    Control: ({ filter }) =>
      may('users:read') ? (
        <UserChoice key={filter.subject} toPath={(subject) => eventFilters.link({ subject })} />
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
  const [loaded] = useView<{ data: User }>(userPath(id));
  return <bdi>{loaded.data === undefined ? id : toLabel(loaded.data.data)}</bdi>;
}
