/** Signatures of Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';

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
