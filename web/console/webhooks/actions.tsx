/** Actions on a webhook. */
import { useState } from 'preact/hooks';
import type { Webhook } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { useAction } from '../../common/use-action.ts';
import { Dropdown } from '../records/controls.tsx';
import { post } from '../records/requests.ts';
import { announce } from '../status.tsx';
import { DeleteDialog } from './dialogs.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { WebhookSecret } from './secret.tsx';
import { TestButton } from './test-button.tsx';
import { WebhookForm, type WebhookSettings } from './form.tsx';
import { changeWebhook, type WebhookSection, type WebhookWithSecret, webhookPath } from './record.tsx';

type OpenDialog = 'edit' | 'rotate' | 'replay' | 'delete' | null;

export function WebhookActions(section: WebhookSection) {
  const { webhook } = section;
  const [open, setOpen] = useState<OpenDialog>(null);
  const enabling = useAction();
  const dialog = { ...section, onClose: () => setOpen(null) };
  return (
    <div class="row">
      <TestButton {...section} />
      <button type="button" onClick={() => setOpen('edit')}>
        Edit…
      </button>
      <Dropdown icon="menu" label="More">
        <div class="panel menu">
          <button type="button" class="plain" onClick={() => setOpen('replay')} disabled={!webhook.enabled}>
            Replay events…
          </button>
          <button type="button" class="plain" onClick={() => setOpen('rotate')}>
            Rotate secret…
          </button>
          <button
            type="button"
            class="plain"
            onClick={() => enabling.run(() => setEnabled(webhook, !webhook.enabled, section.onChange))}
          >
            {webhook.enabled ? 'Disable' : 'Enable'}
          </button>
          <button type="button" class="plain danger" onClick={() => setOpen('delete')}>
            Delete…
          </button>
        </div>
      </Dropdown>
      {enabling.error && <Failure what="The webhook was not changed" error={enabling.error} />}
      {open === 'edit' && <EditDialog {...dialog} />}
      {open === 'replay' && <ReplayDialog {...dialog} />}
      {open === 'rotate' && <RotateDialog {...dialog} />}
      {open === 'delete' && <DeleteDialog {...dialog} />}
    </div>
  );
}

/** Changes the state, and offers to undo the change. */
async function setEnabled(webhook: Webhook, enabled: boolean, onChange: () => void): Promise<void> {
  const changed = await changeWebhook(webhook, { enabled });
  announce(enabled ? 'The webhook was enabled.' : 'The webhook was disabled. Nothing is delivered.', {
    undo: () => setEnabled(changed, !enabled, onChange),
  });
  onChange();
}

type DialogProps = WebhookSection & { readonly onClose: () => void };

function EditDialog({ webhook, onChange, onClose }: DialogProps) {
  const save = async (settings: WebhookSettings) => {
    await changeWebhook(webhook, settings);
    announce('The webhook was changed.');
    onChange();
    onClose();
  };
  return (
    <Dialog title="Edit webhook" onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        verb="Save webhook"
        failure="The webhook was not changed"
        onSubmit={save}
        onClose={onClose}
      />
    </Dialog>
  );
}

function RotateDialog({ webhook, onChange, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async () => {
    const rotated = await post<WebhookWithSecret>(`${webhookPath(webhook.id)}/rotate-secret`, {});
    setSecret(rotated.secret);
    onChange();
  };
  if (secret !== null)
    return (
      <Dialog title="The new secret of the webhook">
        <WebhookSecret secret={secret} onClose={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${webhook.url}?`}
      verb="Rotate secret"
      failure="The secret was not replaced"
      isDestructive={false}
      onConfirm={rotate}
      onClose={onClose}
    >
      <p>For 24 hours, deliveries are signed with both secrets: change the receiver in this time.</p>
    </ConfirmDialog>
  );
}
