/** Confirms the deletion of a webhook: names the lost data, because nothing can restore the secret. */
import { formatCount } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { navigate, withQuery } from '../../common/router.tsx';
import { request, useView } from '../session.ts';
import { announce } from '../status.tsx';
import { WEBHOOKS, type WebhookSection, webhookPath } from './record.tsx';

interface DeleteDialogProps extends WebhookSection {
  readonly onClose: () => void;
}

export function DeleteDialog({ webhook, onClose }: DeleteDialogProps) {
  const remove = async () => {
    const headers = { 'If-Match': `"${webhook.version}"` };
    await request(webhookPath(webhook.id), { method: 'DELETE', headers });
    navigate(WEBHOOKS);
    announce(`${webhook.url} was deleted.`);
  };
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      verb="Delete webhook"
      failure="The webhook was not deleted"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <code>{webhook.url}</code>
      </p>
      <div class="stack tight">
        <p>With it, you lose:</p>
        <ul class="bullets">
          <PendingDeliveries id={webhook.id} />
          <li>its secret: another webhook with this URL gets another one, which its receiver has to know</li>
          <li>the list of its deliveries with their attempts</li>
        </ul>
      </div>
      <p>This cannot be undone. To stop deliveries for some time, disable the webhook.</p>
    </ConfirmDialog>
  );
}

/** The largest page of the list: above it, the exact number does not matter any more. */
const COUNTED = 100;

/** Pending deliveries of the webhook, as far as they are counted; nothing if there are none. */
function PendingDeliveries({ id }: { readonly id: string }) {
  const path = withQuery(`${webhookPath(id)}/deliveries`, { state: 'pending', limit: String(COUNTED) });
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
