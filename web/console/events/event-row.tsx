/** One event in a list. */
import type { AuditEvent } from '../../common/api-types.ts';
import { PreciseTime } from '../../common/time.tsx';
import { FoldButton, FoldRow, useFold } from '../list/fold.tsx';
import { EventDetail } from './event-detail.tsx';
import { formatActor, formatLabel, getTone } from './event-text.ts';
import { SubjectCell } from './subject-cell.tsx';

interface EventRowProps {
  readonly event: AuditEvent;
  /** Whether the list is of several subjects. */
  readonly hasSubject: boolean;
  /** Without network and device. */
  readonly isBrief: boolean;
}

export function EventRow({ event, hasSubject, isBrief }: EventRowProps) {
  const { fold, row } = useFold();
  const tone = getTone(event);
  const label = formatLabel(event);
  return (
    <>
      <tr {...row}>
        <td class="state-cell">
          <PreciseTime at={event.time} />
        </td>
        <td class={hasSubject ? 'main-cell' : 'main-cell grow'}>
          <FoldButton {...fold}>{tone ? <span class={`badge ${tone}`}>{label}</span> : label}</FoldButton>
        </td>
        {hasSubject && <SubjectCell event={event} />}
        <td data-label="By" class="wide">
          <bdi>{formatActor(event, 'cell')}</bdi>
        </td>
        {!isBrief && (
          <>
            <TextCell label="Network" text={event.address} />
            <TextCell label="Device" text={event.device} isLong />
          </>
        )}
      </tr>
      {fold.isOpen && (
        <FoldRow id={fold.controls} columns={3 + (hasSubject ? 1 : 0) + (isBrief ? 0 : 2)}>
          <EventDetail event={event} />
        </FoldRow>
      )}
    </>
  );
}

interface TextCellProps {
  readonly label: string;
  readonly text: string | null;
  readonly isLong?: boolean;
}

function TextCell({ label, text, isLong = false }: TextCellProps) {
  return (
    <td
      data-label={label}
      class={isLong ? 'wide grow device' : 'wide'}
      title={isLong ? (text ?? undefined) : undefined}
    >
      {text === null ? <span class="none">–</span> : <bdi>{text}</bdi>}
    </td>
  );
}
