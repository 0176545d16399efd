/** What happened to the user, including failed sign-ins with their reasons. */
import { useState } from 'preact/hooks';
import type { AuditEvent } from '../../common/api-types.ts';
import { Button, LoadState, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { EventActor, EventDetail, EventMark } from '../events/detail.tsx';
import { linkToEvents } from '../events/filters.tsx';
import { linkToMail } from '../mail/record.ts';
import { MoreButton, type Pages } from '../records/record-list.tsx';
import { may } from '../session.ts';
import { toName, type UserSection } from '../users/record.tsx';

export function UserEvents({ record: user, events }: UserSection & { readonly events: Pages<AuditEvent> }) {
  const shown = events.shown?.items ?? [];
  return (
    <Panel
      title="Events"
      id="events"
      beside={
        <div class="row small end">
          {may('events:read') && (
            <>
              <Link to={linkToEvents({ actor: user.id })}>
                What <bdi>{toName(user)}</bdi> did
              </Link>
              <Link to={linkToEvents({ subject: `user:${user.id}` })}>All events of this user</Link>
            </>
          )}
          {user.email !== null && may('links:send') && (
            <Link to={linkToMail({ recipient: user.email })}>Messages to this user</Link>
          )}
        </div>
      }
    >
      <LoadState loaded={events.state} what="the events" retry={events.reload} />
      {events.shown && shown.length === 0 && <p>There are no events yet.</p>}
      <ol class="timeline">
        {shown.map((event) => (
          <Entry key={event.id} event={event} />
        ))}
      </ol>
      <MoreButton pages={events} nouns={['event', 'events']} />
    </Panel>
  );
}

function Entry({ event }: { readonly event: AuditEvent }) {
  const [isOpen, setOpen] = useState(false);
  const place = [event.device, event.address].filter(Boolean).join(' · ');
  return (
    <li>
      <Button class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <EventMark event={event} />
      </Button>
      <ShortTime at={event.time} />
      {place && <bdi class="muted">{place}</bdi>}
      <EventActor event={event} />
      {isOpen && <EventDetail event={event} />}
    </li>
  );
}
