/** The subject of an event, with a link to it. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { formatSubject } from './event-text.ts';

interface SubjectCellProps {
  readonly event: AuditEvent;
  /** Whether it has the first line of a card. */
  readonly isMain?: boolean;
}

export function SubjectCell({ event, isMain = false }: SubjectCellProps) {
  const { user, subject } = event;
  const id = subject?.startsWith('webhook:') ? subject.slice('webhook:'.length) : null;
  const text = formatSubject(event);
  return (
    <td class={isMain ? 'grow main-cell' : 'grow'} title={text}>
      {user !== null ? (
        <Link to={`/console/users/${user.id}`}>
          <bdi>{text}</bdi>
        </Link>
      ) : id !== null ? (
        <Link to={`/console/webhooks/${id}`}>{text}</Link>
      ) : subject?.includes(':') ? (
        text
      ) : (
        <span class="none">–</span>
      )}
    </td>
  );
}
