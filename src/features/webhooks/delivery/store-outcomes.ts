/** Stores what attempts have led to, in the transaction that finishes or postpones their jobs. */
import type { Logger } from 'pino';
import type { Tx } from '../../../database/database.ts';
import type { PostResult } from '../../../lib/outbound/post-client.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { finishJob } from '../../jobs/lanes/finish-job.ts';
import { compareText, sortByLane } from '../../jobs/lanes/lane-order.ts';
import type { WebhookJob } from '../../jobs/lanes/queries.ts';
import { releaseJob } from '../../jobs/queries.ts';
import { countAttempts, insertAttempts } from '../deliveries/queries.ts';
import { endpointSubject } from '../rules.ts';
import { clearFailing, disableEndpoint, setFailing } from './queries.ts';
import { retryDelay } from './retry-delay.ts';

/** The secret was encrypted by another SECRET_KEY: it has to be rotated. */
export const SECRET_UNREADABLE = 'secret_unreadable';

export type DeliveryResult =
  | PostResult
  | {
      readonly error: typeof SECRET_UNREADABLE;
      readonly status: null;
      readonly line: null;
      readonly retryAfter: null;
      readonly durationMs: number;
    };

export interface DeliveryOutcome {
  /** The row as it was before the lease. */
  readonly job: WebhookJob;
  readonly result: DeliveryResult;
  /** Whether the node has ended the attempt because it stops, so that it does not count. */
  readonly isStopped: boolean;
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

/**
 * Stores outcomes. Rows are changed in one order by all transactions, so that they do not deadlock: endpoints,
 * deliveries, and then jobs in the order of their lanes.
 */
export async function storeOutcomes(
  deps: OutcomeDeps,
  tx: Tx,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const ended = outcomes.filter(({ isStopped }) => !isStopped).map(decide);
  await updateEndpoints(deps, tx, ended);
  const attempts = await storeAttempts(tx, ended);
  await finishJobs(tx, { outcomes, ended, isStored: (id) => attempts.has(id) });
}

export function isSuccess({ error, status }: DeliveryResult): boolean {
  return error === null && status >= 200 && status < 300;
}

interface EndedDelivery extends DeliveryOutcome {
  /** Null while the delivery is pending. */
  readonly state: 'delivered' | 'failed' | null;
  /** Null after the last attempt. */
  readonly nextAttemptAt: number | null;
}

function decide(outcome: DeliveryOutcome): EndedDelivery {
  const { job, result, now, random } = outcome;
  if (isSuccess(result)) return { ...outcome, state: 'delivered', nextAttemptAt: null };
  const { retryAfter } = result;
  const delay =
    result.status === GONE ? null : retryDelay({ attempts: job.attempts + 1, retryAfter, now, random });
  if (delay === null || now + delay >= job.expires_at)
    return { ...outcome, state: 'failed', nextAttemptAt: null };
  return { ...outcome, state: null, nextAttemptAt: now + delay };
}

/** Notes since when endpoints fail, and disables them. One statement is enough for successes in a row. */
async function updateEndpoints(deps: OutcomeDeps, tx: Tx, ended: readonly EndedDelivery[]): Promise<void> {
  const sorted = ended.toSorted((a, b) => compareText(a.job.endpoint_id, b.job.endpoint_id));
  for (const [index, each] of sorted.entries()) {
    const { endpoint_id: id } = each.job;
    const next = sorted[index + 1];
    if (!isSuccess(each.result)) {
      await setFailing(tx, id, each.now);
      await disableIfNeeded(deps, tx, each);
    } else if (next?.job.endpoint_id !== id || !isSuccess(next.result)) await clearFailing(tx, id);
  }
}

/** Returns the numbers of the attempts by delivery, without those of deleted endpoints. */
async function storeAttempts(tx: Tx, ended: readonly EndedDelivery[]): Promise<Map<string, number>> {
  const attempts = new Map<string, number>();
  for (const [state, group] of Map.groupBy(ended, (each) => each.state)) {
    const ids = group.map(({ job }) => job.id);
    const finished = state === null ? null : { state, now: group.at(-1)!.now };
    for (const [id, count] of await countAttempts(tx, ids, finished)) attempts.set(id, count);
  }
  const rows = ended.flatMap(({ job, result, startedAt }) => {
    const attempt = attempts.get(job.id);
    const { status, error, line, durationMs: duration_ms } = result;
    const row = { delivery_id: job.id, at: startedAt, duration_ms, status, error, line };
    return attempt === undefined ? [] : [{ ...row, attempt }];
  });
  await insertAttempts(tx, rows);
  return attempts;
}

interface Finishing {
  readonly outcomes: readonly DeliveryOutcome[];
  readonly ended: readonly EndedDelivery[];
  readonly isStored: (id: string) => boolean;
}

async function finishJobs(tx: Tx, { outcomes, ended, isStored }: Finishing): Promise<void> {
  const [byId, nextById] = [
    new Map(outcomes.map((each) => [each.job.id, each])),
    new Map(ended.map(({ job, nextAttemptAt }) => [job.id, nextAttemptAt])),
  ];
  for (const job of sortByLane(outcomes.map((each) => each.job))) {
    const { now, result, isStopped } = byId.get(job.id)!;
    const nextAttemptAt = isStopped ? now : (nextById.get(job.id) ?? null);
    // The endpoint may have been deleted meanwhile.
    if (nextAttemptAt === null || !(isStopped || isStored(job.id))) await finishJob(tx, job, now);
    else await releaseJob(tx, job, { nextAttemptAt, lastError: result.error ?? String(result.status) });
  }
}

async function disableIfNeeded(
  { logger, notifyOperator }: OutcomeDeps,
  tx: Tx,
  { job: { endpoint_id: endpointId }, result, now }: DeliveryOutcome,
): Promise<void> {
  const isGone = result.status === GONE;
  const reason = isGone ? 'gone' : 'failing';
  const failingSince = isGone ? now : now - MAX_FAILING_MS;
  if (!(await disableEndpoint(tx, { id: endpointId, reason, now, failingSince }))) return;
  logger.warn({ webhook_id: endpointId, reason }, 'a webhook was disabled');
  await recordEvent(tx, { type: 'webhook.disabled', subject: endpointSubject(endpointId), reason, now });
  await notifyOperator(tx, { endpointId, reason, now });
}
