/** The latest security events of all users. */
import type { UserEvent } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { formatSentence, isNotable } from '../security-events.ts';
import { useView } from '../session.ts';

const SHOWN = 10;

export function LatestEvents() {
  const [loaded, retry] = useView<{ data: readonly UserEvent[] }>(
    `/api/v1/admin/security-events?limit=${SHOWN}`,
  );
  const events = loaded.data?.data;
  return (
    <section class="panel" aria-labelledby="latest-events">
      <header>
        <h2 id="latest-events">Latest security events</h2>
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The events could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && !events && <Loading what="the events" />}
      {events?.length === 0 && <p class="muted">Nothing has happened to any account yet.</p>}
      {events !== undefined && events.length > 0 && <EventTable events={events} />}
    </section>
  );
}

function EventTable({ events }: { readonly events: readonly UserEvent[] }) {
  return (
    <table class="records cards">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">User</th>
          <th scope="col" class="num">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </tbody>
    </table>
  );
}

function EventRow({ event }: { readonly event: UserEvent }) {
  const { id, email, name } = event.user;
  const sentence = formatSentence(event);
  return (
    <tr>
      <td>{isNotable(event) ? <span class="badge warn">{sentence}</span> : sentence}</td>
      <td class="grow main-cell" title={email ?? undefined}>
        <Link to={`/console/users/${id}`}>
          <bdi>{email ?? name ?? id}</bdi>
        </Link>
      </td>
      <td class="num state-cell">
        <ShortTime at={event.created_at} />
      </td>
    </tr>
  );
}
