/** The record of what happened to users and to the service. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, query, withQuery } from '../../common/router.tsx';
import { timeZone } from '../../common/time.tsx';
import { ExportFile } from '../list/export-file.tsx';
import { MoreButton } from '../list/more-button.tsx';
import { type Pages, usePages } from '../list/use-pages.ts';
import { EVENTS, type EventFilter, isFiltered, readFilter } from './event-filter.ts';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';

const PAGE_SIZE = '50';

export function Events() {
  const filter = readFilter(query.value);
  const pages = usePages<AuditEvent>('/api/v1/events', { ...filter, limit: PAGE_SIZE });
  const { state, shown, reload } = pages;
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Events">Events</ViewHeading>
          <p class="context">Who did what, and why it failed; newest first. Times are in {timeZone}.</p>
        </div>
        {shown !== undefined && shown.items.length > 0 && <ExportEvents filter={filter} />}
        <button type="button" onClick={reload}>
          <Icon name="refresh" />
          Refresh
        </button>
      </div>
      <EventFilters filter={filter} />
      {state.state === 'failed' && (
        <Failure what="The events could not be loaded" error={state.error} retry={reload} />
      )}
      {shown === undefined && state.state === 'loading' && <Loading what="the events" isTable />}
      {shown !== undefined && <List pages={pages} filter={filter} />}
    </>
  );
}

function ExportEvents({ filter }: { readonly filter: EventFilter }) {
  return (
    <ExportFile
      label={isFiltered(filter) ? 'Export matching events (NDJSON)' : 'Export all (NDJSON)'}
      path={withQuery('/api/v1/events/export', { ...filter })}
      mediaType="application/x-ndjson"
    />
  );
}

function List({ pages, filter }: { readonly pages: Pages<AuditEvent>; readonly filter: EventFilter }) {
  const { state, shown } = pages;
  const isLoading = state.state === 'loading';
  const events = shown?.items ?? [];
  return (
    <section class={`panel ${isLoading ? 'stale' : ''}`} aria-label="Events" aria-busy={isLoading}>
      {events.length > 0 ? (
        <EventTable label="Events" events={events} />
      ) : (
        <Empty filter={filter} hasMore={shown?.next != null} />
      )}
      <MoreButton pages={pages} nouns={['event', 'events']} />
    </section>
  );
}

function Empty({ filter, hasMore }: { readonly filter: EventFilter; readonly hasMore: boolean }) {
  if (hasMore)
    return <p class="empty">Nothing matches among the newest events. Older ones were not searched yet.</p>;
  if (!isFiltered(filter))
    return <p class="empty">Nothing has been recorded yet. The first login or change appears here.</p>;
  return (
    <p class="empty">
      No event matches these filters. <Link to={EVENTS}>Show all events</Link>
    </p>
  );
}
