/** Delivers earlier events again. */
import { useState } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import { formatCount } from '../../common/components.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { post } from '../records/requests.ts';
import { announce } from '../status.tsx';
import { type WebhookSection, webhookPath } from './record.tsx';

type ReplayDialogProps = WebhookSection & { readonly onClose: () => void };

export function ReplayDialog({ webhook, onChange, onClose }: ReplayDialogProps) {
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const action = useAction();
  const replay = async () => {
    const path = `${webhookPath(webhook.id)}/replay`;
    const { events } = await post<{ events: number }>(path, toSpan(since, until));
    const count = `${formatCount(events)} ${events === 1 ? 'event' : 'events'}`;
    announce(`${count} will be delivered again.`);
    onChange();
    onClose();
  };
  return (
    <Dialog title={`Replay events to ${webhook.url}`} onClose={onClose}>
      <ActionForm action={action} onSubmit={replay} failure="Nothing is replayed" fields={['since', 'to']}>
        <p>
          The events of this time are delivered again, with the same ids: a receiver that remembers ids
          ignores what it has processed.
        </p>
        <Field
          label="Since"
          name="since"
          type="datetime-local"
          value={since}
          onValue={setSince}
          error={action.error}
          autocomplete="off"
        />
        <Field
          label="Until"
          name="to"
          type="datetime-local"
          value={until}
          onValue={setUntil}
          hint="Empty for all events until now"
          error={action.error}
          autocomplete="off"
        />
        <DialogButtons onClose={onClose} action={action}>
          Replay events
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}

/** Returns the body of the request. @throws ApiError without a beginning */
function toSpan(since: string, until: string): object {
  if (since === '') {
    const errors = { since: ['Enter the day and the time from which on events are delivered again.'] };
    throw new ApiError(0, { error: 'There is no time.', code: 'page_input', errors });
  }
  const from = new Date(since).toISOString();
  return until === '' ? { since: from } : { from, to: new Date(until).toISOString() };
}
