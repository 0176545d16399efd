/** Sends a test, and shows its result in place. */
import { useEffect, useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { useAction } from '../../common/use-action.ts';
import { post } from '../records/requests.ts';
import { useView } from '../session.ts';
import { formatDuration, formatResult, isSuccess } from './text.ts';
import { usePolling } from './use-polling.ts';
import { type WebhookSection, webhookPath } from './record.tsx';

export function TestButton({ webhook, onChange }: WebhookSection) {
  const [delivery, setDelivery] = useState<string | null>(null);
  const action = useAction();
  const path = webhookPath(webhook.id);
  const send = async () => {
    setDelivery(null);
    const { delivery_id } = await post<{ delivery_id: string }>(`${path}/test`, {});
    setDelivery(delivery_id);
  };
  return (
    <>
      <span role="status" class="small result">
        {delivery && <Result key={delivery} path={`${path}/deliveries/${delivery}`} onChange={onChange} />}
      </span>
      <button
        type="button"
        disabled={!webhook.enabled}
        aria-busy={action.isBusy}
        onClick={() => action.run(send)}
        title={webhook.enabled ? undefined : 'Enable the webhook to send a test.'}
      >
        Send test
      </button>
      {action.error && <Failure what="No test was sent" error={action.error} />}
    </>
  );
}

function Result({ path, onChange }: { readonly path: string; readonly onChange: () => void }) {
  const [loaded, reload] = useView<{ data: WebhookDelivery }>(path);
  const attempt = loaded.data?.data.attempts[0];
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
