/** The filter bar of the events, and a chip for each filter that applies. */
import type { User } from '../../common/api-types.ts';
import { navigate } from '../../common/router.tsx';
import { formatTime } from '../../common/time.tsx';
import { type Chip, Chips } from '../list/chips.tsx';
import { Choice } from '../list/choice.tsx';
import { TimeRange } from '../list/time-range.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { toLabel, userPath } from '../user-record.tsx';
import { ACTORS, EVENTS, type EventFilter, linkToEvents, OUTCOMES } from './event-filter.ts';
import { EVENT_TYPES } from './event-types.ts';
import { subjectNames } from './subject-names.ts';
import { UserChoice } from './user-choice.tsx';

const TYPE_LABELS = Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, { label }]) => [type, label]));

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const SPANS = {
  'Last hour': () => ago(1),
  Today: () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString(),
  'Last 24 hours': () => ago(24),
  'Last 7 days': () => ago(7 * 24),
} as const;

export function EventFilters({ filter }: { readonly filter: EventFilter }) {
  const show = (changes: Partial<EventFilter>) => navigate(linkToEvents({ ...filter, ...changes }));
  const { type, outcome, actor, from, to } = filter;
  return (
    <>
      <search class="filters">
        <Choice
          label="Event"
          value={type ?? ''}
          options={{ '': 'All', ...TYPE_LABELS }}
          onChoose={(chosen) => show({ type: chosen || null })}
        />
        <Choice
          label="Outcome"
          value={outcome ?? ''}
          options={{ '': 'All', ...OUTCOMES }}
          onChoose={(chosen) => show({ outcome: chosen || null })}
        />
        <Choice
          label="By"
          value={actor ?? ''}
          options={{ '': 'Anybody', ...ACTORS, ...(actor?.startsWith('user:') && { [actor]: 'One user' }) }}
          onChoose={(chosen) => show({ actor: chosen || null })}
        />
        {may('users:read') && <UserChoice key={filter.subject} filter={filter} />}
        <TimeRange label="Time" kind="datetime-local" range={{ from, to }} spans={SPANS} onRange={show} />
      </search>
      <Chips chips={listChips(filter)} clear={EVENTS} />
    </>
  );
}

function listChips(filter: EventFilter): Chip[] {
  const { type, outcome, actor, subject, from, to } = filter;
  const chips: Chip[] = [];
  const add = (name: string, value: Chip['value'], without: Partial<EventFilter>) =>
    chips.push({ name, value, without: linkToEvents({ ...filter, ...without }) });
  if (type) add('Event', TYPE_LABELS[type], { type: null });
  if (outcome) add('Outcome', OUTCOMES[outcome as keyof typeof OUTCOMES], { outcome: null });
  if (actor) add('By', ACTORS[actor as keyof typeof ACTORS] ?? <Subject subject={actor} />, { actor: null });
  if (subject) add('About', <Subject subject={subject} />, { subject: null });
  if (from) add('From', formatTime(from), { from: null });
  if (to) add('To', formatTime(to), { to: null });
  return chips;
}

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
