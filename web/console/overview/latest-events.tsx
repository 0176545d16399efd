/** The latest events. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { EVENTS } from '../events/event-filter.ts';
import { formatLabel, formatSentence, getTone } from '../events/event-text.ts';
import { SubjectCell } from '../events/subject-cell.tsx';
import { useSubjectNames } from '../events/use-subject-names.ts';
import { useView } from '../session.ts';

const SHOWN = 10;

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
      {events !== undefined && events.length > 0 && <LatestTable events={events} />}
    </section>
  );
}

function LatestTable({ events }: { readonly events: readonly AuditEvent[] }) {
  useSubjectNames(events);
  return (
    <table class="records cards" aria-label="Latest events">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">User or subject</th>
          <th scope="col" class="num">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <LatestRow key={event.id} event={event} />
        ))}
      </tbody>
    </table>
  );
}

function LatestRow({ event }: { readonly event: AuditEvent }) {
  const tone = getTone(event);
  const label = formatLabel(event);
  return (
    <tr>
      <td title={formatSentence(event)}>{tone ? <span class={`badge ${tone}`}>{label}</span> : label}</td>
      <SubjectCell event={event} isMain />
      <td class="num state-cell">
        <ShortTime at={event.time} />
      </td>
    </tr>
  );
}
