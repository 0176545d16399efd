/** Deletions of deliveries, in batches. */
import { sql, type Tx } from '../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../database/rows.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { deleteExpiredJobs } from '../../jobs/queries.ts';
import { MAX_DELIVERED } from '../fan-out/fan-out.ts';
import { trimDelivered } from '../fan-out/queries.ts';
import { listEndpoints } from '../queries.ts';

/** Ages of deliveries in days. */
const DELIVERED_DAYS = 3;
const FAILED_DAYS = 30;

const IDS_OF_ENDPOINT = sql<{ id: string }>(
  'select id from webhook_deliveries where endpoint_id = $1 order by id limit $2',
);
const toIdRows = (ids: readonly string[]) => ids.map((id) => [id]);
const DELETE_JOBS = sqlForRows(
  { columns: { id: 'text' } },
  (given) => `
  with ${given}
  delete from jobs where id in (select id from given)`,
);
const DELETE_DELIVERIES = sqlForRows(
  { columns: { id: 'text' } },
  (given) => `
  with ${given}
  delete from webhook_deliveries where id in (select id from given)`,
);

/** Deletes the next deliveries of an endpoint that is deleted, with their jobs; returns their number. */
export async function deleteNextDeliveries(tx: Tx, endpointId: string, limit: number): Promise<number> {
  const ids = (await tx.all(IDS_OF_ENDPOINT, endpointId, limit)).map(({ id }) => id);
  for (const batch of inBatches(toIdRows(ids))) {
    for (const { statement, values } of [DELETE_JOBS([], batch), DELETE_DELIVERIES([], batch)])
      await tx.run(statement, ...values);
  }
  return ids.length;
}

const NEXT_ENDPOINT = sql<{ endpoint_id: string }>(
  'select endpoint_id from webhook_deliveries where endpoint_id > $1 order by endpoint_id limit 1',
);

/** Deletes deliveries of endpoints that are deleted, at most `limit`; returns their number. */
export async function deleteAbandonedDeliveries(tx: Tx, _now: number, limit: number): Promise<number> {
  const existing = new Set((await listEndpoints(tx)).map(({ id }) => id));
  let next = await tx.get(NEXT_ENDPOINT, '');
  while (next !== undefined && existing.has(next.endpoint_id))
    next = await tx.get(NEXT_ENDPOINT, next.endpoint_id);
  return next === undefined ? 0 : deleteOrContinue(tx, next.endpoint_id, limit);
}

/** Another endpoint may have been deleted, too: a batch counts as full if it deletes anything. */
async function deleteOrContinue(tx: Tx, endpointId: string, limit: number): Promise<number> {
  return (await deleteNextDeliveries(tx, endpointId, limit)) > 0 ? limit : 0;
}

const FAIL = sqlForRows(
  { columns: { id: 'text' }, singleValues: 1 },
  (given) => `
  with ${given}
  update webhook_deliveries set state = 'failed', finished_at = $1 where id in (select id from given)`,
);

/** Ends deliveries that were not possible in their time, such as those of disabled endpoints. */
export async function expireDeliveries(tx: Tx, now: number, limit: number): Promise<number> {
  const ids = await deleteExpiredJobs(tx, { queue: 'webhook', now, limit });
  if (ids.length === 0) return 0;
  const { statement, values } = FAIL([now], toIdRows(ids));
  await tx.run(statement, ...values);
  return ids.length;
}

const DELETE_FINISHED = sql(`
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where state = $1 and finished_at < $2 order by finished_at limit $3)`);

/** Deletes old deliveries, at most `limit` of each state; returns `limit` if there may be more. */
export async function deleteOldDeliveries(tx: Tx, now: number, limit: number): Promise<number> {
  const delivered = await tx.run(DELETE_FINISHED, 'delivered', now - DELIVERED_DAYS * DAY, limit);
  const failed = await tx.run(DELETE_FINISHED, 'failed', now - FAILED_DAYS * DAY, limit);
  return Math.max(delivered, failed);
}

/** Deletes delivered ones beyond the maximum of an endpoint; returns `limit` if there may be more. */
export async function trimDeliveries(tx: Tx, _now: number, limit: number): Promise<number> {
  let most = 0;
  for (const { id } of await listEndpoints(tx)) {
    const trimmed = await trimDelivered(tx, id, { kept: MAX_DELIVERED, limit });
    most = Math.max(most, trimmed);
    if (trimmed === limit) return limit;
  }
  return most;
}

const CLEAR_SECRETS = sql(`
  update webhook_endpoints set previous_secret = null, previous_secret_until = null
  where previous_secret_until <= $1`);

/** Deletes replaced secrets that are not valid any more. */
export async function clearPreviousSecrets(tx: Tx, now: number): Promise<number> {
  await tx.run(CLEAR_SECRETS, now);
  return 0;
}
