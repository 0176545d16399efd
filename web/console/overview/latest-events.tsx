/** The latest events. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { EVENTS } from '../events/event-filter.ts';
import { EventTable } from '../events/event-table.tsx';
import { useView } from '../session.ts';

/** So many fit below the figures and the charts in a window of 900 pixels. */
const SHOWN = 5;

export function LatestEvents() {
  const [loaded, retry] = useView<{ data: readonly AuditEvent[] }>(`/api/v1/events?limit=${SHOWN}`);
  const events = loaded.data?.data;
  return (
    <section class="panel" aria-labelledby="latest-events">
      <header>
        <h2 id="latest-events">Latest events</h2>
        <Link class="end" to={EVENTS}>
          All events
        </Link>
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The events could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && !events && <Loading what="the events" />}
      {events?.length === 0 && <p class="muted">Nothing has been recorded yet.</p>}
      {events !== undefined && events.length > 0 && (
        <EventTable label="Latest events" events={events} isBrief />
      )}
    </section>
  );
}
