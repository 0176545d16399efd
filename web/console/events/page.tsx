/** The record of events of users and of the service. */
import type { AuditEvent } from '../../common/api-types.ts';
import { ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { withQuery } from '../../common/router.tsx';
import { timeZone } from '../../common/time.tsx';
import { Empty } from '../list/empty.tsx';
import { ExportFile } from '../records/export-file.tsx';
import { Filters, isFiltered } from '../records/filters.tsx';
import { EmptyList } from '../records/record-list.tsx';
import { usePages } from '../records/use-pages.ts';
import { EVENTS, eventFilters } from './filters.tsx';
import { EventList } from './event-list.tsx';

const PAGE_SIZE = '50';

export function Events() {
  const filter = eventFilters.read();
  const pages = usePages<AuditEvent>('/api/v1/events', { ...filter, limit: PAGE_SIZE, fold: 'true' });
  const { shown, reload } = pages;
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Events">Events</ViewHeading>
          <p class="context">Who did what, and why it failed; newest first. Times are in {timeZone}.</p>
        </div>
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
      </div>
      <Filters filters={eventFilters} />
      <EventList
        label="Events"
        pages={pages}
        empty={
          <EmptyList noun="event" isFiltered={isFiltered(filter)} pages={pages} all={EVENTS}>
            <Empty icon="events" title="No events yet" docs="/docs/events">
              Every login, change and failure is recorded here with who, when and why. The first one appears
              with the first user.
            </Empty>
          </EmptyList>
        }
      />
    </>
  );
}
