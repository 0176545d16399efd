/** Questions before a message is sent again or cancelled. They name the recipient. */
import type { Mail } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { API_PATH } from './mail-filters.tsx';

interface DialogProps {
  readonly message: Mail;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Acts once, even if the request is sent again. */
function act(id: string, name: 'retry' | 'cancel'): Promise<unknown> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const path = `${API_PATH}/${encodeURIComponent(id)}/${name}`;
  return request(path, { method: 'POST', headers, body: {} });
}

export function RetryDialog({ message, onChange, onClose }: DialogProps) {
  const { id, recipient, subject, state } = message;
  const retry = async () => {
    await act(id, 'retry');
    announce(`The message to ${recipient} is sent within seconds.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Send the message to ${recipient} ${state === 'waiting' ? 'now' : 'again'}?`}
      verb={`Send to ${recipient}`}
      failure="The message was not queued"
      isDestructive={false}
      onConfirm={retry}
      onClose={onClose}
    >
      <p>
        “{subject}” is sent{' '}
        {state === 'waiting' ? 'at once' : 'once more, with all attempts of a new message'}. The limits of its
        recipient apply.
      </p>
    </ConfirmDialog>
  );
}

export function CancelDialog({ message, onChange, onClose }: DialogProps) {
  const { id, recipient, subject } = message;
  const cancel = async () => {
    await act(id, 'cancel');
    announce(`The message to ${recipient} was cancelled.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Cancel the message to ${recipient}?`}
      verb="Cancel the message"
      failure="The message was not cancelled"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p>“{subject}” is not sent. You can send it again within 30 days if the address has an account.</p>
    </ConfirmDialog>
  );
}
