/** Webhooks, as the API returns them. */
import type { Webhook, WebhookDelivery } from '../../common/api-types.ts';
import { createRecords } from '../records/requests.ts';
import type { SecretKind } from '../records/secret.tsx';

export const webhooks = createRecords<Webhook>('/api/v1/webhooks', 'webhook');

export type WebhookWithSecret = Webhook & { readonly secret: string };

export const SECRET: SecretKind = {
  label: 'Secret',
  purpose: 'The receiver verifies the signatures of deliveries with it.',
};

export function formatTypes({ types }: Webhook): string {
  if (types === null) return 'All events';
  return types.length === 1 ? types[0]! : `${types.length} types`;
}

const DISABLED = {
  administrator: 'Disabled',
  gone: 'Disabled: gone',
  failing: 'Disabled: failing',
} as const;

export function WebhookBadge({ webhook }: { readonly webhook: Webhook }) {
  const { enabled, disabled_reason, failing_since } = webhook;
  if (!enabled) {
    const reason = disabled_reason ?? 'administrator';
    return <span class={`badge ${reason === 'administrator' ? '' : 'bad'}`}>{DISABLED[reason]}</span>;
  }
  if (failing_since !== null) return <span class="badge bad">Failing</span>;
  return <span class="badge usual">Enabled</span>;
}

/** Explanation of the state of the webhook, with the next step; null if all is well. */
export function explainState({ enabled, disabled_reason, failing_since }: Webhook): string | null {
  if (disabled_reason === 'gone')
    return 'The receiver responded with 410: it wants nothing more. Change the URL, or replay what it has missed.';
  if (disabled_reason === 'failing')
    return 'Nothing could be delivered for five days. Repair the receiver, then replay what it has missed.';
  if (!enabled) return 'Nothing is delivered, and events of this time are left out: replay them afterwards.';
  if (failing_since !== null)
    return 'Deliveries fail, and are attempted again. After five days the webhook is disabled.';
  return null;
}

export const DELIVERY_STATES: Readonly<Record<WebhookDelivery['state'], string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

export function DeliveryBadge({ delivery: { state, attempts } }: { readonly delivery: WebhookDelivery }) {
  const tone = { delivered: 'usual', failed: 'bad', pending: attempts.length > 0 ? 'warn' : '' }[state];
  return <span class={`badge ${tone}`}>{DELIVERY_STATES[state]}</span>;
}
