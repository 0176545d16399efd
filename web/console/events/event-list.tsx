/** The columns of events, and their lists. */
import type { ComponentChildren } from 'preact';
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { RecordList } from '../list/record-list.tsx';
import type { Column } from '../list/record-table.tsx';
import type { Pages } from '../list/use-pages.ts';
import { EventDetail } from './event-detail.tsx';
import { formatActor, formatLabel, formatSubjectCell, getSubjectLink, getTone } from './event-text.ts';
import { useSubjectNames } from './use-subject-names.ts';

const TIME: Column<AuditEvent> = {
  title: 'Time',
  class: 'state-cell',
  render: ({ time }) => <PreciseTime at={time} />,
};
const EVENT: Column<AuditEvent> = {
  title: 'Event',
  isMain: true,
  render: (event) => {
    const tone = getTone(event);
    return tone ? <span class={`badge ${tone}`}>{formatLabel(event)}</span> : formatLabel(event);
  },
};
const isNamed = ({ user, subject }: AuditEvent) => user !== null || subject?.includes(':') === true;
const SUBJECT: Column<AuditEvent> = {
  title: 'User or subject',
  class: 'grow',
  isNamed: false,
  getHint: (event) => (isNamed(event) ? formatSubjectCell(event) : null),
  render: (event) => {
    const to = getSubjectLink(event);
    if (to === null && !isNamed(event)) return null;
    const text = <bdi>{formatSubjectCell(event)}</bdi>;
    return to === null ? text : <Link to={to}>{text}</Link>;
  },
};
const ACTOR: Column<AuditEvent> = {
  title: 'By',
  class: 'wide',
  render: (event) => <bdi>{formatActor(event, 'cell')}</bdi>,
};
const NETWORK_AND_DEVICE: readonly Column<AuditEvent>[] = [
  { title: 'Network', class: 'wide', render: ({ address }) => address && <bdi>{address}</bdi> },
  {
    title: 'Device',
    class: 'wide grow device',
    getHint: ({ device }) => device,
    render: ({ device }) => device && <bdi>{device}</bdi>,
  },
];

const COLUMNS = {
  all: [TIME, EVENT, SUBJECT, ACTOR, ...NETWORK_AND_DEVICE],
  /** Without columns that the detail has as well. */
  brief: [TIME, EVENT, SUBJECT, ACTOR],
  /** Columns of a list of one subject. */
  subject: [TIME, { ...EVENT, class: 'grow' }, ACTOR, ...NETWORK_AND_DEVICE],
};

interface EventListProps {
  readonly label: string;
  readonly pages: Pages<AuditEvent>;
  readonly columns?: keyof typeof COLUMNS;
  readonly empty: ComponentChildren;
}

/** A list with columns other than `all` is within the panel of its section. */
export function EventList({ columns = 'all', ...list }: EventListProps) {
  useSubjectNames(list.pages.shown?.items ?? []);
  return (
    <RecordList
      {...list}
      nouns={['event', 'events']}
      class="events"
      columns={COLUMNS[columns]}
      isInPanel={columns !== 'all'}
      detail={(event) => <EventDetail event={event} />}
    />
  );
}
