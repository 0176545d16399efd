import { type Reader, sql, type Tx } from '../../../../database/database.ts';

const LAST_OF_PAGE = sql<{ id: string | null }>(`
  select max(id) as id from (select id from jobs where id > $1 order by id limit $2) as page`);

/** Returns the last id of the next `limit` jobs, messages or not; null after the last one. */
export async function lastOfPage(reader: Reader, after: string, limit: number): Promise<string | null> {
  return (await reader.get(LAST_OF_PAGE, after, limit))!.id;
}

/** Messages alone have a kind. A condition on the queue would make an index of all of its jobs look cheaper. */
const RETRY = sql(`
  update jobs set next_attempt_at = $1
  where id > $2 and id <= $3 and kind is not null and next_attempt_at > $1 and (leased_until is null or leased_until <= $1)`);

export interface MailRange {
  /** Not included, unlike `to`. */
  readonly from: string;
  readonly to: string;
}

/** Makes the messages of a range due that no node sends now; returns the number of those that were not due before. */
export function retryRange(tx: Tx, { from, to }: MailRange, now: number): Promise<number> {
  return tx.run(RETRY, now, from, to);
}
