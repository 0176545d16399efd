/** Sends a test, and shows its result in place. */
import { useEffect, useState } from 'preact/hooks';
import type { WebhookDelivery, WebhookHealth } from '../../common/api-types.ts';
import { formatDuration } from '../../common/page-language.ts';
import { ActionButton } from '../records/record-actions.tsx';
import type { Section } from '../records/requests.ts';
import { usePolling } from '../records/use-pages.ts';
import { useData } from '../session.ts';
import { webhooks } from './record.tsx';
import { formatResult, isSuccess } from './text.ts';

export function TestButton({ record: webhook, onChange }: Section<WebhookHealth>) {
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
        failure="No test was sent"
        isDisabled={!webhook.enabled}
        run={send}
        title={webhook.enabled ? undefined : 'Enable the webhook to send a test.'}
      >
        Send test
      </ActionButton>
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
