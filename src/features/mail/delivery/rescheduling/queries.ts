import { prepareRun, prepareValue } from '../../../../database/prepare.ts';

/** Returns the last id of the next `limit` jobs, messages or not; null after the last one. */
export const lastOfPage = prepareValue<string | null, [after: string, limit: number]>(`
  select max(id) as id from (select id from jobs where id > $1 order by id limit $2) as page`);

/**
 * Makes the messages after `from` up to `to` due that no node sends now; returns the number of those that were not due
 * before. Messages alone have a kind: a condition on the queue would make an index of all of its jobs look cheaper.
 */
export const retryRange = prepareRun<{ from: string; to: string; now: number }>(`
  update jobs set next_attempt_at = $now
  where id > $from and id <= $to and kind is not null and next_attempt_at > $now
    and (leased_until is null or leased_until <= $now)`);
