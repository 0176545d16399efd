/** The record of events of users and of the service. */
import type { ComponentChildren } from 'preact';
import type { AuditEvent } from '../../common/api-types.ts';
import { PageHead } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { ExportFile } from '../records/export-file.tsx';
import { Filters, isFiltered } from '../records/filters.tsx';
import { type Column, Empty, EmptyList, type Pages, RecordList, usePages } from '../records/record-list.tsx';
import { EventActor, EventDetail, EventMark } from './detail.tsx';
import { EVENTS, eventFilters } from './filters.tsx';
import { formatSubjectCell, getSubjectLink } from './subject.ts';
import { formatSentence, isBySelf } from './text.ts';
import { useSubjectNames } from './use-subject-names.ts';

const PAGE_SIZE = '50';

export function Events() {
  const filter = eventFilters.read();
  const pages = usePages<AuditEvent>('/api/v1/events', { ...filter, limit: PAGE_SIZE, fold: 'true' });
  const { shown, reload } = pages;
  return (
    <>
      <PageHead title="Events" context="Who did what, and why it failed; newest first.">
        {shown !== undefined && shown.items.length > 0 && (
          <ExportFile
            label={isFiltered(filter) ? 'Export matching events (NDJSON)' : 'Export all (NDJSON)'}
            path={withQuery('/api/v1/events/export', filter)}
            mediaType="application/x-ndjson"
          />
        )}
        <button type="button" onClick={reload}>
          <Icon name="refresh" />
          Refresh
        </button>
      </PageHead>
      <Filters filters={eventFilters} />
      <EventList
        label="Events"
        pages={pages}
        empty={
          <EmptyList noun="event" isFiltered={isFiltered(filter)} pages={pages} all={EVENTS}>
            <Empty icon="events" title="No events yet" docs="/docs/events">
              Every sign-in, change and failure is recorded here with who, when and why. The first one appears
              with the first user.
            </Empty>
          </EmptyList>
        }
      />
    </>
  );
}

const isNamed = ({ user, subject }: AuditEvent) => user !== null || subject?.includes(':') === true;

const ALL: readonly Column<AuditEvent>[] = [
  { title: 'Time', class: 'state-cell', render: ({ time }) => <PreciseTime at={time} /> },
  { title: 'Event', isMain: true, render: (event) => <EventMark event={event} /> },
  {
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
  },
  {
    title: 'By',
    class: 'wide',
    render: (event) => (isBySelf(event) ? null : <EventActor event={event} />),
  },
  {
    title: 'From',
    class: 'wide grow device',
    getHint: ({ address, device }) => [address, device].filter(Boolean).join(', '),
    render: ({ address, device }) =>
      (address || device) && (
        <>
          <bdi>{device ?? address}</bdi>
          {address && device && <bdi class="description">{address}</bdi>}
        </>
      ),
  },
];
/** `brief`: without the last column, which the detail has as well. */
const COLUMNS = { all: ALL, brief: ALL.slice(0, -1) };

interface EventListProps {
  readonly label: string;
  readonly pages: Pages<AuditEvent>;
  readonly columns?: keyof typeof COLUMNS;
  readonly empty: ComponentChildren;
}

/** The events of one act, each on its own, with the filters of the list in which it is. */
function FoldedEvents({ event }: { readonly event: AuditEvent }) {
  const { type, actor, folded } = event;
  const { first_at, last_at } = folded!;
  const pages = usePages<AuditEvent>('/api/v1/events', {
    ...eventFilters.read(),
    type,
    actor: actor.id ?? actor.type,
    from: first_at,
    // Not included.
    to: new Date(Date.parse(last_at) + 1).toISOString(),
    limit: PAGE_SIZE,
  });
  return (
    <div class="stack tight">
      <p>
        <strong>{formatSentence(event)}</strong> First at <PreciseTime at={first_at} />, last at{' '}
        <PreciseTime at={last_at} />.
      </p>
      <EventList label="Events of this act" columns="brief" pages={pages} empty={null} />
    </div>
  );
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
      detail={(event) => (event.folded ? <FoldedEvents event={event} /> : <EventDetail event={event} />)}
    />
  );
}
