/** What happened to the user, also failed logins with their reasons. */

import { useEffect } from 'preact/hooks';
import type { AuditEvent } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { linkToEvents } from '../events/event-filter.ts';
import { EventTable } from '../events/event-table.tsx';
import { MoreButton } from '../list/more-button.tsx';
import { usePages } from '../list/use-pages.ts';
import type { UserSection } from './user-section.ts';

const PAGE_SIZE = '10';
/** Events are readable a quarter of a second after what has caused them. */
const DELAY_MS = 400;

export function UserEvents({ user, revision }: UserSection) {
  const subject = `user:${user.id}`;
  const pages = usePages<AuditEvent>('/api/v1/events', { subject, limit: PAGE_SIZE }, revision);
  const { state, shown, reload } = pages;
  useEffect(() => {
    if (revision === 0) return;
    const timer = setTimeout(reload, DELAY_MS);
    return () => clearTimeout(timer);
  }, [revision]);
  return (
    <section class="panel" aria-labelledby="events">
      <header>
        <h2 id="events">Events</h2>
        <Link class="end" to={linkToEvents({ subject })}>
          All events of this user
        </Link>
      </header>
      {state.state === 'failed' && (
        <Failure what="The events could not be loaded" error={state.error} retry={reload} />
      )}
      {state.state === 'loading' && shown === undefined && <Loading what="the events" />}
      {shown?.items.length === 0 && shown.next === null && <p>There are no events yet.</p>}
      {shown !== undefined && shown.items.length > 0 && (
        <>
          <EventTable label="Events of the user" events={shown.items} hasSubject={false} />
          <MoreButton pages={pages} nouns={['event', 'events']} />
        </>
      )}
    </section>
  );
}
