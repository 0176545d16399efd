import { sql, type Tx } from '../../../database/database.ts';
import { prepareRun } from '../../../database/prepare.ts';
import { PRIORITIES } from '../priority.ts';
import type { QueueSearch } from '../queries.ts';

/** Shortens leases that end later than `latest` to that time, in all queues. */
export const correctLeases = prepareRun<[latest: number]>(`
  update jobs set next_attempt_at = $1, leased_until = $1 where leased_until > $1`);

const CORRECT_DELAYS = sql(`
  update jobs set next_attempt_at = $1 where id in (
    select id from jobs
    where queue = $2 and priority = $3 and next_attempt_at > $4 order by next_attempt_at limit $5)`);

/** Makes jobs due whose next attempt is later than `latest`, which is not possible; returns the number, `limit` or less of a priority. */
export async function correctDelays(
  tx: Tx,
  { queue, now, limit }: QueueSearch,
  latest: number,
): Promise<number> {
  let corrected = 0;
  for (const priority of PRIORITIES)
    corrected += await tx.run(CORRECT_DELAYS, now, queue, priority, latest, limit);
  return corrected;
}
