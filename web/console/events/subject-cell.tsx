/** The subject of an event, with a link to it. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { formatSubject, getSubjectLink } from './event-text.ts';

interface SubjectCellProps {
  readonly event: AuditEvent;
  /** Whether it has the first line of a card. */
  readonly isMain?: boolean;
}

export function SubjectCell({ event, isMain = false }: SubjectCellProps) {
  const text = formatSubject(event);
  const to = getSubjectLink(event);
  const isNamed = event.user !== null || event.subject?.includes(':') === true;
  return (
    <td class={isMain ? 'grow main-cell' : 'grow'} title={isNamed ? text : undefined}>
      {to === null ? (
        isNamed ? (
          <bdi>{text}</bdi>
        ) : (
          <span class="none">–</span>
        )
      ) : (
        <Link to={to}>
          <bdi>{text}</bdi>
        </Link>
      )}
    </td>
  );
}
