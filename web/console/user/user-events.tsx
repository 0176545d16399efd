/** Events of the user, including failed logins with their reasons. */
import { useEffect } from 'preact/hooks';
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { linkToEvents } from '../events/event-filters.tsx';
import { EventList } from '../events/event-list.tsx';
import { usePages } from '../list/use-pages.ts';
import { may } from '../permissions.ts';
import { userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

const PAGE_SIZE = '10';
/** Events are readable a quarter of a second after their cause. */
const DELAY_MS = 400;

export function UserEvents({ user, revision }: UserSection) {
  const pages = usePages<AuditEvent>(`${userPath(user.id)}/events`, { limit: PAGE_SIZE }, revision);
  const { reload } = pages;
  useEffect(() => {
    if (revision === 0) return;
    const timer = setTimeout(reload, DELAY_MS);
    return () => clearTimeout(timer);
  }, [revision]);
  return (
    <section class="panel" aria-labelledby="events">
      <header>
        <h2 id="events">Events</h2>
        {may('events:read') && (
          <Link class="end" to={linkToEvents({ subject: `user:${user.id}` })}>
            All events of this user
          </Link>
        )}
      </header>
      <EventList
        label="Events of the user"
        columns="subject"
        pages={pages}
        empty={<p>There are no events yet.</p>}
      />
    </section>
  );
}
