/** Everything that is recorded about an event. */
import type { AuditEvent } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { formatCount } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { Fact } from '../list/fact.tsx';
import { linkToEvents } from './event-filters.tsx';
import { formatReason, formatSentence, getSubjectLink } from './event-text.ts';

export function EventDetail({ event }: { readonly event: AuditEvent }) {
  const { changes, address, device, request_id, subject } = event;
  const reason = formatReason(event);
  return (
    <div class="columns even">
      <div class="stack tight">
        <p>
          <strong>{formatSentence(event)}</strong>
        </p>
        <dl class="facts">
          {reason && <Fact name="Why">{reason}</Fact>}
          {changes.length > 0 && (
            <Fact name="Changes">
              <Changes changes={changes} />
            </Fact>
          )}
          {event.occurrences > 1 && (
            <Fact name="How often">
              <Occurrences event={event} />
            </Fact>
          )}
          {address !== null && <Fact name="Network">{address}</Fact>}
          {device !== null && <Fact name="Device">{device}</Fact>}
          {subject !== null && (
            <Fact name="Subject">
              <SubjectId event={event} />
            </Fact>
          )}
          {request_id !== null && (
            <Fact name="Request">
              <code>{request_id}</code>
            </Fact>
          )}
        </dl>
        {subject !== null && <Link to={linkToEvents({ subject })}>All events of this subject</Link>}
      </div>
      <CodeBlock label="Event as JSON" text={JSON.stringify(event, null, 2)} />
    </div>
  );
}

/** The id, with a link to its record. */
function SubjectId({ event }: { readonly event: AuditEvent }) {
  const to = getSubjectLink(event);
  const id = <code>{event.subject}</code>;
  return to === null ? id : <Link to={to}>{id}</Link>;
}

function Occurrences({ event }: { readonly event: AuditEvent }) {
  const { occurrences, first_at, last_at } = event;
  return (
    <>
      {formatCount(occurrences)} times
      {first_at !== null && last_at !== null && (
        <>
          , from <Time at={first_at} /> to <Time at={last_at} />
        </>
      )}
    </>
  );
}

/** Values are recorded of some members only. */
function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.name}>
          <code>{change.name}</code>
          {(change.from !== undefined || change.to !== undefined) && (
            <>
              : {formatValue(change.from)} → {formatValue(change.to)}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatValue(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === '' ? '(none)' : String(value);
}
