/** Signatures of Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';
import { formatTimestamp } from '../../../lib/time/clock.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

/** Returns the headers of a message with one signature by each secret, of which a receiver has to know one. */
export function signMessage(
  { id, now, body }: { id: string; now: number; body: string },
  secrets: readonly Uint8Array[],
) {
  const seconds = Math.floor(now / 1000);
  const content = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** Returns the body of a delivery, as Standard Webhooks structure it. It contains no personal data, and is short. */
export function buildBody(delivery: DeliveryRow): string {
  const { type, occurred_at, event_id, subject, sequence, event_number, digest } = delivery;
  const head = digest === null ? {} : { number: event_number, digest };
  const data = { id: event_id, subject, sequence, ...head };
  return JSON.stringify({ type, timestamp: formatTimestamp(occurred_at), data });
}
