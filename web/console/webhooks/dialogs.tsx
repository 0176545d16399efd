/** Confirms the deletion of a webhook, and replays events to it. */
import { ApiError } from '../../common/api.ts';
import type { WebhookHealth } from '../../common/api-types.ts';
import { formatCount, formatCounted } from '../../common/components.tsx';
import { withQuery } from '../../common/router.tsx';
import { ConfirmAction, type RecordDialogProps } from '../records/record-actions.tsx';
import { FormDialog, type RecordForm } from '../records/record-form.tsx';
import { useView } from '../session.ts';
import { webhooks } from './record.tsx';

/** Names the lost data, because nothing can restore the secret. */
export function DeleteDialog(dialog: RecordDialogProps<WebhookHealth>) {
  const { id, url } = dialog.record;
  return (
    <ConfirmAction
      {...dialog}
      title="Delete this webhook?"
      verb="Delete webhook"
      failure="The webhook was not deleted"
      act={() => webhooks.remove(dialog)}
      done={`${url} was deleted.`}
      to={webhooks.page}
    >
      <p>
        <code>{url}</code>
      </p>
      <div class="stack tight">
        <p>With it, you lose:</p>
        <ul class="bullets">
          <PendingDeliveries id={id} />
          <li>its secret: another webhook with this URL gets another one, which its receiver has to know</li>
          <li>the list of its deliveries with their attempts</li>
        </ul>
      </div>
      <p>This cannot be undone. To stop deliveries for some time, disable the webhook.</p>
    </ConfirmAction>
  );
}

/** The largest page of the list: above it, the exact number does not matter any more. */
const COUNTED = 100;

/** Pending deliveries of the webhook, as far as they are counted; nothing if there are none. */
function PendingDeliveries({ id }: { readonly id: string }) {
  const path = withQuery(webhooks.pathTo(id, '/deliveries'), { state: 'pending', limit: String(COUNTED) });
  const [loaded] = useView<{ readonly data: readonly unknown[]; readonly next_cursor: string | null }>(path);
  if (loaded.data === undefined) return <li>pending deliveries: the receiver never gets their events</li>;
  const { data, next_cursor } = loaded.data;
  if (data.length === 0) return null;
  const count = next_cursor === null ? formatCount(data.length) : `more than ${formatCount(COUNTED)}`;
  const deliveries = data.length === 1 ? 'pending delivery' : 'pending deliveries';
  return (
    <li>
      <strong>
        {count} {deliveries}
      </strong>
      : the receiver never gets {data.length === 1 ? 'this event' : 'these events'}
    </li>
  );
}

/** Local times, as they are typed. */
interface Span {
  readonly since: string;
  readonly to: string;
}

const REPLAY_FORM: RecordForm<never, Span> = {
  toTyped: () => ({ since: '', to: '' }),
  toBody: toSpan,
  getFields: () => [
    { name: 'since', label: 'Since', type: 'datetime-local' },
    { name: 'to', label: 'Until', type: 'datetime-local', hint: 'Empty for all events until now' },
  ],
};

/** Delivers earlier events again. */
export function ReplayDialog({ record: webhook, ...dialog }: RecordDialogProps<WebhookHealth>) {
  const replay = async (span: object) => {
    const { events } = await webhooks.act<{ events: number }>(webhook, 'replay', span);
    return `${formatCounted(events, 'event')} will be delivered again.`;
  };
  return (
    <FormDialog
      {...dialog}
      form={REPLAY_FORM}
      record={null}
      title={`Replay events to ${webhook.url}`}
      verb="Replay events"
      failure="Nothing is replayed"
      act={replay}
    >
      <p>
        The events of this time are delivered again, with the same ids: a receiver that remembers ids ignores
        what it has processed.
      </p>
    </FormDialog>
  );
}

/** Returns the body of the request. @throws ApiError without a beginning */
function toSpan({ since, to }: Span): object {
  if (since === '') {
    const errors = { since: ['Enter the day and the time from which on events are delivered again.'] };
    throw new ApiError(0, { error: 'There is no time.', code: 'page_input', errors });
  }
  const from = new Date(since).toISOString();
  return to === '' ? { since: from } : { from, to: new Date(to).toISOString() };
}
