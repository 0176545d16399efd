/** Actions on a webhook. */
import { useState } from 'preact/hooks';
import type { Webhook, WebhookHealth } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { type RecordAction, RecordActions, type RecordDialogProps } from '../records/record-actions.tsx';
import { EditRecord } from '../records/record-form.tsx';
import { type Section, toggleEnabled } from '../records/requests.ts';
import { Secret } from '../records/secret.tsx';
import { DeleteDialog, ReplayDialog } from './dialogs.tsx';
import { WEBHOOK_FORM } from './form.tsx';
import { SECRET, type WebhookWithSecret, webhooks } from './record.tsx';
import { TestButton } from './test-button.tsx';

const describeState = ({ enabled }: Webhook) =>
  enabled ? 'The webhook was enabled.' : 'The webhook was disabled. Nothing is delivered.';

const ACTIONS: readonly RecordAction<WebhookHealth>[] = [{ label: 'Edit…', Dialog: EditDialog }];
const MENU: readonly RecordAction<WebhookHealth>[] = [
  {
    label: 'Replay events…',
    class: 'plain',
    isDisabled: ({ enabled }) => !enabled,
    Dialog: ReplayDialog,
  },
  { label: 'Rotate secret…', class: 'plain', Dialog: RotateDialog },
  {
    label: ({ enabled }) => (enabled ? 'Disable' : 'Enable'),
    class: 'plain',
    run: (section) => toggleEnabled(webhooks, section, describeState),
  },
  { label: 'Delete…', class: 'plain danger', Dialog: DeleteDialog },
];

export function WebhookActions(section: Section<WebhookHealth>) {
  return (
    <RecordActions
      {...section}
      actions={ACTIONS}
      menu={MENU}
      menuIcon="menu"
      failure="The webhook was not changed"
    >
      <TestButton {...section} />
    </RecordActions>
  );
}

type DialogProps = RecordDialogProps<WebhookHealth>;

function EditDialog(dialog: DialogProps) {
  const texts = { noun: 'webhook', title: 'Edit webhook', done: 'The webhook was changed.' };
  return <EditRecord {...dialog} {...texts} records={webhooks} form={WEBHOOK_FORM} />;
}

function RotateDialog({ record: webhook, onChange, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async () => {
    setSecret((await webhooks.act<WebhookWithSecret>(webhook, 'rotate-secret')).secret);
    onChange();
  };
  if (secret !== null)
    return (
      <Dialog title="The new secret of the webhook">
        <Secret {...SECRET} secret={secret} onClose={onClose} />
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
