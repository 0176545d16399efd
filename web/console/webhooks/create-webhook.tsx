/** Creates a webhook, and shows its secret once. */
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { Icon } from '../../common/icon.tsx';
import { navigate } from '../../common/router.tsx';
import { announce } from '../status.tsx';
import { WebhookSecret } from './secret.tsx';
import { WebhookForm, type WebhookSettings } from './webhook-form.tsx';
import { API_PATH, post, WEBHOOKS, type WebhookWithSecret } from './webhook-record.tsx';

export function CreateWebhook({ onCreated }: { readonly onCreated: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const attempt = useRef({ body: '', key: '' });
  const close = () => setOpen(false);
  const create = async (settings: WebhookSettings) => {
    // A request without a response may have been processed: the same settings are sent with the same key.
    const body = JSON.stringify(settings);
    if (attempt.current.body !== body) attempt.current = { body, key: crypto.randomUUID() };
    setCreated(await post<WebhookWithSecret>(API_PATH, settings, attempt.current.key));
    attempt.current.body = '';
    close();
    onCreated();
  };
  const finish = () => {
    setCreated(null);
    navigate(`${WEBHOOKS}/${created!.id}`);
    announce('The webhook was created. Send a test to see whether it is received.');
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Create webhook
      </button>
      {isOpen && (
        <Dialog title="Create webhook" onClose={close}>
          <WebhookForm
            webhook={null}
            verb="Create webhook"
            failure="The webhook was not created"
            onSubmit={create}
            onClose={close}
          />
        </Dialog>
      )}
      {created && (
        <Dialog title="The secret of the webhook">
          <WebhookSecret secret={created.secret} onClose={finish} />
        </Dialog>
      )}
    </>
  );
}
