/** Deletions of deliveries, in batches. */
import type { Tx } from '../../../database/database.ts';
import { prepareAll, prepareForRows, prepareGet, prepareRun } from '../../../database/prepare.ts';
import { DAY } from '../../../lib/time.ts';
import { readUsers } from '../../events/list/queries.ts';
import { deleteExpiredJobs } from '../../jobs/queries.ts';
import { type DeliveryRow, type DeliveryState, findOlderThan } from '../deliveries/queries.ts';
import { listEndpoints } from '../queries.ts';

/** Delivered ones that are kept. */
export const MAX_DELIVERED = 1_000;
/** Ages of deliveries in days. */
const DELIVERED_DAYS = 3;
const FAILED_DAYS = 30;

const findOfEndpoint = prepareAll<{ id: string }, [endpointId: string, limit: number]>(
  'select id from webhook_deliveries where endpoint_id = $1 order by id limit $2',
);
const deleteListed = (table: 'jobs' | 'webhook_deliveries') =>
  prepareForRows({ id: 'text' }, `delete from ${table} where id in (select id from given)`).run;
const deleteJobs = deleteListed('jobs');
const deleteDeliveries = deleteListed('webhook_deliveries');

/** Deletes the next deliveries of an endpoint that is deleted, with their jobs; returns their number. */
export async function deleteNextDeliveries(tx: Tx, endpointId: string, limit: number): Promise<number> {
  const found = await findOfEndpoint(tx, endpointId, limit);
  await deleteJobs(tx, found);
  await deleteDeliveries(tx, found);
  return found.length;
}

const findNextEndpoint = prepareGet<{ endpoint_id: string }, [after: string]>(
  'select endpoint_id from webhook_deliveries where endpoint_id > $1 order by endpoint_id limit 1',
);

/** Deletes deliveries of endpoints that are deleted, at most `limit`; returns their number. */
export async function deleteAbandonedDeliveries(tx: Tx, _now: number, limit: number): Promise<number> {
  const existing = new Set((await listEndpoints(tx)).map(({ id }) => id));
  let next = await findNextEndpoint(tx, '');
  while (next !== undefined && existing.has(next.endpoint_id))
    next = await findNextEndpoint(tx, next.endpoint_id);
  if (next === undefined) return 0;
  // Another endpoint may have been deleted, too: a batch counts as full if it deletes anything.
  return (await deleteNextDeliveries(tx, next.endpoint_id, limit)) > 0 ? limit : 0;
}

const { run: fail } = prepareForRows<never, { readonly id: string }, [now: number]>(
  { id: 'text' },
  `update webhook_deliveries set state = 'failed', finished_at = $1 where id in (select id from given)`,
  1,
);

/** Ends deliveries that were not possible in their time, such as those of disabled endpoints. */
export async function expireDeliveries(tx: Tx, now: number, limit: number): Promise<number> {
  const expired = await deleteExpiredJobs(tx, { queue: 'webhook', now, limit });
  await fail(tx, expired, now);
  return expired.length;
}

const deleteFinished = prepareRun<{ state: DeliveryState; before: number; limit: number }>(`
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where state = $state and finished_at < $before order by finished_at limit $limit)`);

/** Deletes old deliveries, at most `limit` of each state; returns `limit` if there may be more. */
export async function deleteOldDeliveries(tx: Tx, now: number, limit: number): Promise<number> {
  const before = (days: number) => now - days * DAY;
  const delivered = await deleteFinished(tx, { state: 'delivered', before: before(DELIVERED_DAYS), limit });
  const failed = await deleteFinished(tx, { state: 'failed', before: before(FAILED_DAYS), limit });
  return Math.max(delivered, failed);
}

const deleteDelivered = prepareRun<{ id: string; last: string; limit: number }>(`
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where endpoint_id = $id and state = 'delivered' and id <= $last order by id limit $limit)`);

/** Deletes delivered ones beyond the newest `kept`, at most `limit`; returns their number. */
export async function trimDelivered(
  tx: Tx,
  id: string,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<number> {
  const last = await findOlderThan(tx, { endpointId: id, state: 'delivered', offset: kept });
  return last === undefined ? 0 : deleteDelivered(tx, { id, last: last.id, limit });
}

/** Deletes delivered ones beyond the maximum of an endpoint; returns `limit` if there may be more. */
export async function trimDeliveries(tx: Tx, _now: number, limit: number): Promise<number> {
  let most = 0;
  for (const { id } of await listEndpoints(tx)) {
    most = Math.max(most, await trimDelivered(tx, id, { kept: MAX_DELIVERED, limit }));
    if (most === limit) return limit;
  }
  return most;
}

/** Deletes replaced secrets that are not valid any more: at most 50, as there are endpoints. */
export const clearPreviousSecrets = prepareRun<[now: number, limit: number]>(`
  update webhook_endpoints set previous_secret = null, previous_secret_until = null
  where previous_secret_until <= $1`);

const findNextDeliveries = prepareAll<
  Pick<DeliveryRow, 'id' | 'type' | 'subject' | 'state'>,
  [after: string, limit: number]
>(`
  select id, type, subject, state from webhook_deliveries where id > $1 order by id limit $2`);
const { run: deleteEnded } = prepareForRows(
  { id: 'text' },
  "delete from webhook_deliveries where id in (select id from given) and state <> 'pending'",
);

const { all: findResponses } = prepareForRows<{ id: string; has_response: number }>(
  { id: 'text' },
  `select given.id, case when response is null and line is null then 0 else 1 end as has_response
    from given cross join webhook_attempts where webhook_attempts.delivery_id = given.id`,
);
const { run: clearListed } = prepareForRows(
  { id: 'text' },
  `update webhook_attempts set response = null, line = null where delivery_id in (select id from given)`,
);

async function clearResponses(tx: Tx, deliveries: readonly { readonly id: string }[]): Promise<void> {
  const attempts = await findResponses(tx, deliveries);
  const ids = new Set(attempts.filter(({ has_response }) => has_response === 1).map(({ id }) => id));
  await clearListed(tx, [...ids]);
}

/**
 * Creates the function that deletes ended deliveries about erased users, but those of the erasure, and the responses to all others: receivers may have written personal data
 * into them. Each call examines
 * the next `limit` deliveries and returns their number.
 */
export function createDeleteOfErased() {
  let after = '';
  return async (tx: Tx, _now: number, limit: number): Promise<number> => {
    const rows = await findNextDeliveries(tx, after, limit);
    after = rows.at(-1)?.id ?? after;
    const aboutUsers = rows.filter(({ subject }) => subject?.startsWith('user:'));
    const toUserId = (subject: string | null) => subject!.slice('user:'.length);
    const users = await readUsers(tx, [...new Set(aboutUsers.map(({ subject }) => toUserId(subject)))]);
    const ofErased = aboutUsers.filter(({ subject }) => !users.has(toUserId(subject)));
    const deleted = ofErased.filter(({ type, state }) => state !== 'pending' && type !== 'user.erased');
    await deleteEnded(tx, deleted);
    await clearResponses(tx, ofErased);
    return rows.length;
  };
}
