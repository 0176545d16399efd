/** Confirmation dialog before something is deleted. */
import { Dialog } from '../../common/dialog.tsx';
import type { TryOutProps } from './try-out-props.ts';

type ConfirmationProps = Pick<TryOutProps, 'operation' | 'request' | 'credential'> & {
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

const SENDERS = { token: 'with the pasted token', session: 'with your session of the console' };

export function Confirmation({ operation, request, credential, onClose, onConfirm }: ConfirmationProps) {
  const { summary = operation.id } = operation.details;
  const { pathname, search } = new URL(request.url);
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog title={`${summary}?`} onClose={onClose}>
      <p>
        <code>
          {request.method} {pathname + search}
        </code>{' '}
        is sent {credential === null ? 'anonymously' : SENDERS[credential]}. What it deletes or revokes cannot
        be restored.
      </p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger primary" onClick={confirm}>
          {summary}
        </button>
      </div>
    </Dialog>
  );
}
