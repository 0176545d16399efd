/** Actions on a webhook. */
import { useEffect, useState } from 'preact/hooks';
import type { Webhook, WebhookDelivery, WebhookHealth } from '../../common/api-types.ts';
import { formatDuration } from '../../common/page-language.ts';
import {
  ActionButton,
  type RecordAction,
  RecordActions,
  type RecordDialogProps,
} from '../records/record-actions.tsx';
import { EditRecord } from '../records/record-form.tsx';
import { type Section, toggleEnabled } from '../records/requests.ts';
import { RotateSecret } from '../records/secret.tsx';
import { usePolling } from '../records/use-pages.ts';
import { useData } from '../session.ts';
import { DeleteDialog, ReplayDialog } from './dialogs.tsx';
import { WEBHOOK_FORM } from './form.tsx';
import { SECRET, type WebhookWithSecret, webhooks } from './record.tsx';
import { formatResult, isSuccess } from './text.ts';

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
  const texts = { title: 'Edit webhook', done: 'The webhook was changed.' };
  return <EditRecord {...dialog} {...texts} records={webhooks} form={WEBHOOK_FORM} />;
}

function RotateDialog(dialog: DialogProps) {
  const rotate = async () => (await webhooks.act<WebhookWithSecret>(dialog.record, 'rotate-secret')).secret;
  return (
    <RotateSecret
      {...dialog}
      kind={SECRET}
      title={`Rotate the secret of ${dialog.record.url}?`}
      newTitle="The new secret of the webhook"
      failure="The secret was not replaced"
      verb="Rotate secret"
      hasOverlap={false}
      rotate={rotate}
    >
      For 24 hours, deliveries are signed with both secrets: change the receiver in this time.
    </RotateSecret>
  );
}

function TestButton({ record: webhook, onChange }: Section<WebhookHealth>) {
  const [delivery, setDelivery] = useState<string | null>(null);
  const send = async () => {
    setDelivery(null);
    const { delivery_id } = await webhooks.act<{ delivery_id: string }>(webhook, 'test');
    setDelivery(delivery_id);
  };
  return (
    <>
      <span role="status" class="small result">
        {delivery && (
          <Result
            key={delivery}
            path={webhooks.pathTo(webhook.id, `/deliveries/${delivery}`)}
            onChange={onChange}
          />
        )}
      </span>
      <ActionButton
        text="Send test"
        failure="No test was sent"
        disabled={!webhook.enabled}
        run={send}
        title={webhook.enabled ? undefined : 'Enable the webhook to send a test.'}
      />
    </>
  );
}

function Result({ path, onChange }: { readonly path: string; readonly onChange: () => void }) {
  const [loaded, reload] = useData<WebhookDelivery>(path);
  const attempt = loaded.data?.attempts[0];
  usePolling(attempt === undefined, loaded, reload);
  useEffect(() => {
    if (attempt !== undefined) onChange();
  }, [attempt === undefined]);
  if (attempt === undefined) return <>Sending the test…</>;
  return (
    <span class={`badge ${isSuccess(attempt) ? 'good' : 'bad'}`}>
      Test: {formatResult(attempt)} after {formatDuration(attempt.duration_ms)}
    </span>
  );
}
