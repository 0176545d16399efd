/** One message in the list, whose detail folds out. */
import type { Mail } from '../../common/api-types.ts';
import { PreciseTime } from '../../common/time.tsx';
import { FoldButton, FoldRow, useFold } from '../list/fold.tsx';
import { MailDetail } from './mail-detail.tsx';
import { STATES } from './mail-filter.ts';

interface MailRowProps {
  readonly message: Mail;
  readonly onChange: () => void;
}

export function MailRow({ message, onChange }: MailRowProps) {
  const { fold, row } = useFold();
  const { subject, recipient, created_at, attempts } = message;
  return (
    <>
      <tr {...row}>
        <td class="main-cell">
          <FoldButton {...fold}>{subject}</FoldButton>
        </td>
        <td data-label="To" class="grow" title={recipient}>
          <bdi>{recipient}</bdi>
        </td>
        <td data-label="Queued">
          <PreciseTime at={created_at} />
        </td>
        <td data-label="Attempts" class="num wide">
          {attempts}
        </td>
        <td class="state-cell">
          <MailBadge message={message} />
        </td>
      </tr>
      {fold.isOpen && (
        <FoldRow id={fold.controls} columns={5}>
          <MailDetail message={message} onChange={onChange} />
        </FoldRow>
      )}
    </>
  );
}

/** Only failures are coloured. */
function MailBadge({ message: { state, attempts } }: { readonly message: Mail }) {
  const isFailing = state === 'waiting' && attempts > 0;
  const tone = state === 'failed' ? 'bad' : isFailing ? 'warn' : state === 'sent' ? 'usual' : '';
  return <span class={`badge ${tone}`}>{STATES[state]}</span>;
}
