import { prepareAll, prepareChange, prepareRun } from '../../../database/prepare.ts';
import { DAY } from '../../../lib/time.ts';
import type { Job } from '../../jobs/queries.ts';
import type { DisabledReason } from '../queries.ts';

/** An endpoint that may receive deliveries, with one due, or running on another node. */
export interface DueEndpoint {
  readonly id: string;
  readonly failing_since: number | null;
}

export const findDueEndpoints = prepareAll<DueEndpoint, [now: number]>(`
  select id, failing_since from webhook_endpoints
  where enabled = 1
    and (select next_attempt_at from jobs where endpoint_id = webhook_endpoints.id
         order by next_attempt_at, id limit 1) <= $1`);

/** The job of a delivery, with its id. */
export interface WebhookJob extends Job {
  readonly endpoint_id: string;
  readonly expires_at: number;
}

/**
 * Returns jobs of one endpoint whose next attempt is due, expired ones among them, without those that a node runs now.
 * For each endpoint separately, so that one with many due jobs does not hide those of others.
 */
export const findDueOfEndpoint = prepareAll<WebhookJob, { endpointId: string; now: number; limit: number }>(`
  select id, attempts, endpoint_id, expires_at from jobs
  where endpoint_id = $endpointId and next_attempt_at <= $now order by next_attempt_at, id limit $limit`);

/** Longer than the longest time between two attempts of a delivery: a failure after that begins a new series. */
const MAX_PAUSE_MS = 2 * DAY;

/** Notes that a delivery has failed, and since when all have. */
export const setFailing = prepareRun<[id: string, now: number, error: string]>(`
  update webhook_endpoints
  set failing_since = case when last_failure_at >= cast($2 as bigint) - ${MAX_PAUSE_MS}
      then coalesce(failing_since, $2) else $2 end,
    last_failure_at = $2, last_error = $3
  where id = $1`);

/** Notes that a delivery has succeeded. */
export const clearFailing = prepareRun<[id: string]>(
  'update webhook_endpoints set failing_since = null, last_error = null where id = $1 and failing_since is not null',
);

/** Returns false if its first failure was later than `failingSince`, or it is disabled already. */
export const disableEndpoint = prepareChange<{
  endpointId: string;
  reason: DisabledReason;
  now: number;
  failingSince: number;
}>(`
  update webhook_endpoints
  set enabled = 0, disabled_reason = $reason, updated_at = $now, version = version + 1
  where id = $endpointId and enabled = 1 and failing_since <= $failingSince`);
