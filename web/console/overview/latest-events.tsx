/** The latest events. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { EVENTS } from '../events/filters.tsx';
import { EventList } from '../events/page.tsx';
import { usePages } from '../records/use-pages.ts';

/** Number that fits below the figures and the charts in a window of 900 pixels. */
const SHOWN = '5';

export function LatestEvents() {
  const { state, shown, reload } = usePages<AuditEvent>('/api/v1/events', { limit: SHOWN });
  const all = (
    <Link class="end" to={EVENTS}>
      All events
    </Link>
  );
  return (
    <Panel title="Latest events" id="latest-events" beside={all}>
      <EventList
        label="Latest events"
        columns="brief"
        pages={{ state, shown, reload }}
        empty={<p class="muted">Nothing has been recorded yet.</p>}
      />
    </Panel>
  );
}
