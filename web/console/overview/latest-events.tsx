/** The latest security events of all users. */
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { formatSentence, type SecurityEvent } from '../security-events.ts';
import { useView } from '../session.ts';

interface UserEvent extends SecurityEvent {
  readonly user: { readonly id: string; readonly email: string | null; readonly name: string | null };
}

const SHOWN = 10;

export function LatestEvents() {
  const [loaded, retry] = useView<{ data: readonly UserEvent[] }>(
    `/api/v1/admin/security-events?limit=${SHOWN}`,
  );
  const events = loaded.data?.data;
  return (
    <section aria-labelledby="latest-events">
      <h2 id="latest-events">Latest security events</h2>
      {loaded.state === 'failed' && (
        <Failure what="The events could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && !events && <Loading what="the events" />}
      {events?.length === 0 && <p class="muted">Nothing has happened to any account yet.</p>}
      <ul class="events">
        {events?.map((event) => (
          <li key={event.id}>
            <Link to={`/console/users/${event.user.id}`}>
              {event.user.email ?? event.user.name ?? event.user.id}
            </Link>{' '}
            <span>{formatSentence(event)}</span>{' '}
            <span class="muted">
              <Time at={event.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
