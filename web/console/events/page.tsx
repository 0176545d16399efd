/** The record of events of users and of the service. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AdminScope, AuditEvent } from '../../common/api-types.ts';
import { Button, PageHead } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { ExportFile } from '../records/export-file.tsx';
import { Filters, isFiltered } from '../records/filters.tsx';
import { type Column, Empty, EmptyList, type Pages, RecordList, usePages } from '../records/record-list.tsx';
import { may, read } from '../session.ts';
import { EventActor, EventDetail, EventMark } from './detail.tsx';
import { EVENTS, eventFilters } from './filters.tsx';
import { formatSubjectCell, getApplicationId, getSubjectLink, subjectNames } from './subject.ts';
import { formatSentence, isBySelf } from './text.ts';

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
        <Button icon="refresh" text="Refresh" onClick={reload} />
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

interface NamedKind {
  readonly path: string;
  /** That reads them. */
  readonly scope: AdminScope;
  readonly getName: (record: NamedRecord) => string;
}

type NamedRecord = Readonly<Record<'id' | 'url' | 'name' | 'title', string>>;

const KINDS: Readonly<Record<string, NamedKind>> = {
  // Paths and queries of webhooks may contain secrets of the receiver.
  webhook: { path: '/api/v1/webhooks', scope: 'webhooks:write', getName: ({ url }) => new URL(url).host },
  credential: { path: '/api/v1/credentials', scope: 'admin', getName: ({ name }) => name },
  application: { path: '/api/v1/applications', scope: 'applications:read', getName: ({ name }) => name },
  identity_provider: {
    path: '/api/v1/identity-providers',
    scope: 'identity-providers:write',
    getName: ({ name }) => name,
  },
  group: { path: '/api/v1/groups', scope: 'groups:read', getName: ({ title }) => title },
  form: { path: '/api/v1/forms?limit=100', scope: 'forms:read', getName: ({ title }) => title },
};

/** Loads the names of the kinds that are among the subjects of the events, once more for other events. */
function useSubjectNames(events: readonly AuditEvent[]): void {
  const kinds = listKinds(events);
  const latest = events[0]?.id;
  useEffect(() => {
    for (const kind of kinds) void loadNames(kind);
  }, [kinds.join(), latest]);
}

function listKinds(events: readonly AuditEvent[]): string[] {
  const kinds = new Set(
    events.flatMap((event) => {
      const kind = event.subject?.split(':')[0] ?? '';
      // Submissions are named by their form.
      return [kind === 'submission' ? 'form' : kind, getApplicationId(event) === null ? '' : 'application'];
    }),
  );
  return [...kinds].filter((kind) => Object.hasOwn(KINDS, kind) && may(KINDS[kind]!.scope)).sort();
}

/** Without an answer, events stay without names. */
async function loadNames(kind: string): Promise<void> {
  const { path, getName } = KINDS[kind]!;
  const records = await read<readonly NamedRecord[]>(path).catch(() => undefined);
  if (records === undefined) return;
  const names = new Map(records.map((record) => [`${kind}:${record.id}`, getName(record)]));
  subjectNames.value = { ...subjectNames.value, [kind]: names };
}
