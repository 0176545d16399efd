/** Signatures of Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';
import { JSON_HEADERS } from '../../../lib/outbound/post-client.ts';
import { DAY, formatTimestamp, HOUR, MINUTE } from '../../../lib/time.ts';
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

const toSeconds = (time: number): number => Math.floor(time / 1000);

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

const DELAYS_MS = [
  5_000,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Delays differ by up to this share, so that deliveries which failed together do not return together. */
const JITTER = 0.2;

/** The longest time that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = DAY;
export const MAX_RETRY_DELAY_MS = 24 * HOUR * (1 + JITTER);

/** Returns the milliseconds until the next attempt, not less than the receiver asks for; null after the last one. */
export function retryDelay(attempt: {
  attempts: number;
  retryAfter: string | null;
  now: number;
  random: number;
}): number | null {
  const { attempts, retryAfter, now, random } = attempt;
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const requested = Math.min(readRetryAfter(retryAfter, now), MAX_RETRY_AFTER_MS);
  return Math.max(Math.round(delay * (1 - JITTER + 2 * JITTER * random)), requested);
}

/** Returns the milliseconds that the header asks for (RFC 9110 section 10.2.3); 0 for anything else. */
function readRetryAfter(value: string | null, now: number): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
