/** Security events of one user. */
import { Failure, Loading, ScrollArea } from '../../common/components.tsx';
import { Time } from '../../common/time.tsx';
import { formatSentence, type SecurityEvent } from '../security-events.ts';
import { useView } from '../session.ts';
import { userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

export function SecurityEvents({ user, revision }: UserSection) {
  const path = `${userPath(user.id)}/security-events`;
  const [loaded, retry] = useView<{ data: readonly SecurityEvent[] }>(path, revision);
  const events = loaded.data?.data;
  return (
    <section aria-labelledby="events">
      <h2 id="events">Security events</h2>
      {loaded.state === 'failed' && (
        <Failure what="The security events could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && events === undefined && <Loading what="the security events" />}
      {events?.length === 0 && <p>There are no events yet.</p>}
      {events !== undefined && events.length > 0 && <EventTable events={events} />}
    </section>
  );
}

function EventTable({ events }: { readonly events: readonly SecurityEvent[] }) {
  return (
    <ScrollArea label="Security events of the user">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td>{formatSentence(event)}</td>
              <td>
                <Time at={event.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
