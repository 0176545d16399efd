/** Stores what an attempt has led to, in the transaction that finishes or postpones its job. */
import type { Logger } from 'pino';
import type { Tx } from '../../../database/database.ts';
import type { PostResult } from '../../../lib/outbound/post-client.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { finishJob } from '../../jobs/lanes/finish-job.ts';
import type { WebhookJob } from '../../jobs/lanes/queries.ts';
import { releaseJob } from '../../jobs/queries.ts';
import { countAttempt, finishDelivery, insertAttempt } from '../deliveries/queries.ts';
import { endpointSubject } from '../rules.ts';
import { clearFailing, disableEndpoint, setFailing } from './queries.ts';
import { retryDelay } from './retry-delay.ts';

/** The secret was encrypted by another SECRET_KEY: it has to be rotated. */
export const SECRET_UNREADABLE = 'secret_unreadable';

export type AttemptResult =
  | PostResult
  | {
      readonly error: typeof SECRET_UNREADABLE;
      readonly status: null;
      readonly line: null;
      readonly retryAfter: null;
      readonly durationMs: number;
    };

export interface AttemptOutcome {
  /** The row as it was before the lease. */
  readonly job: WebhookJob;
  readonly result: AttemptResult;
  /** When the attempt began, in epoch milliseconds. */
  readonly startedAt: number;
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
}

export interface OutcomeDeps {
  readonly logger: Logger;
  /** Tells the operator that an endpoint was disabled. */
  readonly notifyOperator: NotifyOperator;
}

export type DisabledByService = 'gone' | 'failing';
export type NotifyOperator = (
  tx: Tx,
  disabled: { readonly endpointId: string; readonly reason: DisabledByService; readonly now: number },
) => Promise<void>;

const MAX_FAILING_MS = 5 * DAY;
const GONE = 410;

export async function storeOutcome(deps: OutcomeDeps, tx: Tx, outcome: AttemptOutcome): Promise<void> {
  const { job, result, startedAt, now } = outcome;
  const attempt = await countAttempt(tx, job.id);
  // The endpoint was deleted meanwhile.
  if (attempt === undefined) return finishJob(tx, job, now);
  const { status, error, line, durationMs: duration_ms } = result;
  await insertAttempt(tx, { delivery_id: job.id, attempt, at: startedAt, duration_ms, status, error, line });
  if (isSuccess(result)) {
    await finishDelivery(tx, job.id, { state: 'delivered', now });
    await clearFailing(tx, job.endpoint_id);
    await finishJob(tx, job, now);
  } else await storeFailure(deps, tx, outcome);
}

export function isSuccess({ error, status }: AttemptResult): boolean {
  return error === null && status >= 200 && status < 300;
}

async function storeFailure(deps: OutcomeDeps, tx: Tx, outcome: AttemptOutcome): Promise<void> {
  const { job, result, now, random } = outcome;
  const { error, status, retryAfter } = result;
  const isGone = status === GONE;
  const delay = isGone ? null : retryDelay({ attempts: job.attempts + 1, retryAfter, now, random });
  await setFailing(tx, job.endpoint_id, now);
  if (delay === null || now + delay >= job.expires_at) {
    await finishDelivery(tx, job.id, { state: 'failed', now });
    await finishJob(tx, job, now);
  } else {
    const lastError = error ?? String(status);
    await releaseJob(tx, job, { nextAttemptAt: now + delay, lastError });
  }
  await disableIfNeeded(deps, tx, { endpointId: job.endpoint_id, isGone, now });
}

async function disableIfNeeded(
  { logger, notifyOperator }: OutcomeDeps,
  tx: Tx,
  {
    endpointId,
    isGone,
    now,
  }: { readonly endpointId: string; readonly isGone: boolean; readonly now: number },
): Promise<void> {
  const reason = isGone ? 'gone' : 'failing';
  const failingSince = isGone ? now : now - MAX_FAILING_MS;
  if (!(await disableEndpoint(tx, { id: endpointId, reason, now, failingSince }))) return;
  logger.warn({ webhook_id: endpointId, reason }, 'a webhook was disabled');
  await recordEvent(tx, { type: 'webhook.disabled', subject: endpointSubject(endpointId), reason, now });
  await notifyOperator(tx, { endpointId, reason, now });
}
