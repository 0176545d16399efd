/** The latest events. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { EVENTS } from '../events/filters.tsx';
import { EventList } from '../events/page.tsx';
import { usePages } from '../records/use-pages.ts';

/** Number that fits below the figures and the charts in a window of 900 pixels. */
const SHOWN = '5';

export function LatestEvents() {
  const { state, shown, reload } = usePages<AuditEvent>('/api/v1/events', { limit: SHOWN });
  return (
    <section class="panel" aria-labelledby="latest-events">
      <header>
        <h2 id="latest-events">Latest events</h2>
        <Link class="end" to={EVENTS}>
          All events
        </Link>
      </header>
      <EventList
        label="Latest events"
        columns="brief"
        pages={{ state, shown, reload }}
        empty={<p class="muted">Nothing has been recorded yet.</p>}
      />
    </section>
  );
}
