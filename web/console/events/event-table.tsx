/** Events, one line each. */
import type { AuditEvent } from '../../common/api-types.ts';
import { EventRow } from './event-row.tsx';
import { useSubjectNames } from './use-subject-names.ts';

interface EventTableProps {
  readonly label: string;
  readonly events: readonly AuditEvent[];
  readonly hasSubject?: boolean;
  /** Without columns that the detail has as well. */
  readonly isBrief?: boolean;
}

export function EventTable({ label, events, hasSubject = true, isBrief = false }: EventTableProps) {
  useSubjectNames(events);
  return (
    <table class="events records cards" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          {hasSubject && <th scope="col">User or subject</th>}
          <th scope="col" class="wide">
            By
          </th>
          {!isBrief && (
            <>
              <th scope="col" class="wide">
                Network
              </th>
              <th scope="col" class="wide device">
                Device
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} hasSubject={hasSubject} isBrief={isBrief} />
        ))}
      </tbody>
    </table>
  );
}
