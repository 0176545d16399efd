/** Stores the outcome of an attempt, in the transaction that finishes or postpones its job. */
import type { Logger } from 'pino';
import type { Tx } from '../../../database/database.ts';
import type { PostResult } from '../../../lib/outbound/post-client.ts';
import type { KeptResponse } from '../../../lib/outbound/post-result.ts';
import { DAY } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { finishJob, releaseJob } from '../../jobs/queries.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { countAttempt, insertAttempt } from '../deliveries/queries.ts';
import { clearFailing, disableEndpoint, findEndpoint, setFailing } from '../queries.ts';
import { formatEndpointSubject } from '../rules.ts';
import type { WebhookJob } from './queries.ts';
import { retryDelay, type SentRequest } from './sign-message.ts';

/** The secret was encrypted by another SECRET_KEY: it has to be rotated. */
export const SECRET_UNREADABLE = 'secret_unreadable';

export const NOT_SENT = {
  error: SECRET_UNREADABLE,
  status: null,
  line: null,
  response: null,
  retryAfter: null,
  durationMs: 0,
} as const;

export interface DeliveryOutcome {
  /** The row as it was before the lease. */
  readonly job: WebhookJob;
  /** Null if nothing was sent. */
  readonly request: SentRequest | null;
  readonly result: PostResult | typeof NOT_SENT;
  /** When the attempt began, in epoch milliseconds. */
  readonly startedAt: number;
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
}

export interface OutcomeDeps {
  readonly logger: Logger;
  /** Gets a message when an endpoint is disabled. Null: the line in the log is all. */
  readonly operatorEmail: string | null;
}

const MAX_FAILING_MS = 5 * DAY;
const GONE = 410;

/** All transactions change rows in this order, so that they do not deadlock: endpoint, delivery, job. */
export async function storeOutcome(deps: OutcomeDeps, tx: Tx, outcome: DeliveryOutcome): Promise<void> {
  const { job, request, result, startedAt, now } = outcome;
  const { status, error, line, response, durationMs: duration_ms } = result;
  const lastError = error ?? String(status);
  const isDelivered = result.error === null && result.status >= 200 && result.status < 300;
  if (isDelivered) await clearFailing(tx, job.endpoint_id);
  else {
    await setFailing(tx, job.endpoint_id, now, lastError);
    await disableIfNeeded(deps, tx, outcome);
  }
  const nextAttemptAt = isDelivered ? null : findNextAttempt(outcome);
  const state = isDelivered ? 'delivered' : 'failed';
  const isLast = nextAttemptAt === null;
  const end = { state: isLast ? state : null, finishedAt: isLast ? now : null } as const;
  const counted = await countAttempt(tx, { id: job.id, ...end });
  // The endpoint may have been deleted meanwhile.
  if (counted !== undefined) {
    const attempt = { delivery_id: job.id, attempt: counted.attempts, at: startedAt, duration_ms };
    await insertAttempt(tx, { ...attempt, status, error, line, ...toJson({ request, response }) });
  }
  if (nextAttemptAt === null || counted === undefined) await finishJob(tx, job);
  else await releaseJob(tx, job, { nextAttemptAt, lastError });
}

function toJson({ request, response }: { request: SentRequest | null; response: KeptResponse | null }) {
  return { request: request && JSON.stringify(request), response: response && JSON.stringify(response) };
}

/** Returns the time of the attempt after one that has failed; null after the last one. */
function findNextAttempt({ job, result, now, random }: DeliveryOutcome): number | null {
  if (result.status === GONE) return null;
  const delay = retryDelay({ attempts: job.attempts + 1, retryAfter: result.retryAfter, now, random });
  return delay === null || now + delay >= job.expires_at ? null : now + delay;
}

async function disableIfNeeded(
  { logger, operatorEmail }: OutcomeDeps,
  tx: Tx,
  { job: { endpoint_id: endpointId }, result, now }: DeliveryOutcome,
): Promise<void> {
  const isGone = result.status === GONE;
  const reason = isGone ? 'gone' : 'failing';
  const failingSince = isGone ? now : now - MAX_FAILING_MS;
  if (!(await disableEndpoint(tx, { endpointId, reason, now, failingSince }))) return;
  logger.warn({ webhook_id: endpointId, reason }, 'a webhook was disabled');
  const subject = formatEndpointSubject(endpointId);
  await recordEvent(tx, { type: 'webhook.disabled', subject, reason, now });
  const endpoint = await findEndpoint(tx, endpointId);
  if (operatorEmail === null || endpoint === undefined) return;
  // Without the query of the URL, which may contain a secret.
  const { origin, pathname } = new URL(endpoint.url);
  const mail = { userId: null, email: operatorEmail, isByAdministrator: true } as const;
  await enqueueMail(tx, { kind: 'webhook_disabled', ...mail, data: { url: origin + pathname, reason }, now });
}
