/** Signatures of Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';
import { JSON_HEADERS } from '../../../lib/outbound/post-client.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

/** What is stored of a request: its delivery and the time of the attempt tell the rest. */
export interface SentRequest {
  readonly url: string;
  readonly signature: string;
  readonly user_agent: string;
}

/** Returns the headers of a message with one signature by each secret, of which a receiver has to know one. */
export function signMessage(
  { id, now, body }: { id: string; now: number; body: string },
  secrets: readonly Uint8Array[],
) {
  const seconds = toSeconds(now);
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

function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

/** Returns the request of an attempt as it was sent, without the headers of its connection. */
export function rebuildRequest(
  delivery: DeliveryRow,
  { at, request }: { at: number; request: string | null },
) {
  if (request === null) return null;
  const { url, signature, user_agent }: SentRequest = JSON.parse(request);
  const headers = {
    'webhook-id': delivery.event_id,
    'webhook-timestamp': String(toSeconds(at)),
    'webhook-signature': signature,
    ...JSON_HEADERS,
    'user-agent': user_agent,
    'content-length': String(Buffer.byteLength(buildBody(delivery))),
  };
  return { url, headers };
}

/** Returns the body of a delivery, as Standard Webhooks structure it. It contains no personal data, and is short. */
export function buildBody(delivery: DeliveryRow): string {
  const { type, occurred_at, event_id, subject, sequence, event_number, digest } = delivery;
  const head = digest === null ? {} : { number: event_number, digest };
  const data = { id: event_id, subject, sequence, ...head };
  return JSON.stringify({ type, timestamp: formatTimestamp(occurred_at), data });
}
