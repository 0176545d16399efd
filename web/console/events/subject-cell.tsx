/** The subject of an event, with a link to it. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { formatSubjectCell, getSubjectLink } from './event-text.ts';

export function SubjectCell({ event }: { readonly event: AuditEvent }) {
  const text = formatSubjectCell(event);
  const to = getSubjectLink(event);
  const isNamed = event.user !== null || event.subject?.includes(':') === true;
  return (
    <td class="grow" title={isNamed ? text : undefined}>
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
