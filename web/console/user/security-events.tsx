/** Security events of one user. */
import type { SecurityEvent } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { formatSentence, isNotable } from '../security-events.ts';
import { useView } from '../session.ts';
import { userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

export function SecurityEvents({ user, revision }: UserSection) {
  const path = `${userPath(user.id)}/security-events`;
  const [loaded, retry] = useView<{ data: readonly SecurityEvent[] }>(path, revision);
  const events = loaded.data?.data;
  return (
    <section class="panel" aria-labelledby="events">
      <header>
        <h2 id="events">Security events</h2>
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The security events could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && events === undefined && <Loading what="the security events" />}
      {events?.length === 0 && <p>There are no events yet.</p>}
      {events !== undefined && events.length > 0 && <Timeline events={events} />}
    </section>
  );
}

function Timeline({ events }: { readonly events: readonly SecurityEvent[] }) {
  return (
    <ol class="body timeline">
      {events.map((event) => (
        <li key={event.id} class={isNotable(event) ? 'warn' : undefined}>
          <span>{formatSentence(event)}</span>
          <span class="muted">
            <ShortTime at={event.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
