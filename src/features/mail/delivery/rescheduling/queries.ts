import { type Reader, sql, type Tx } from '../../../../database/database.ts';
import { PRIORITIES } from '../../priority.ts';

const LAST_OF_PAGE = sql<{ id: string | null }>(`
  select max(id) as id from (select id from mail_queue where id > $1 order by id limit $2) as page`);

/** Returns the last id of the next `limit` messages; null after the last message. */
export async function lastOfPage(reader: Reader, after: string, limit: number): Promise<string | null> {
  return (await reader.get(LAST_OF_PAGE, after, limit))!.id;
}

const RETRY = sql(`
  update mail_queue set next_attempt_at = $1
  where id > $2 and id <= $3 and next_attempt_at > $1 and (leased_until is null or leased_until <= $1)`);

export interface MailRange {
  /** Not included, unlike `to`. */
  readonly from: string;
  readonly to: string;
}

/** Makes the messages of a range due that no node sends now; returns the number of those that were not due before. */
export function retryRange(tx: Tx, { from, to }: MailRange, now: number): Promise<number> {
  return tx.run(RETRY, now, from, to);
}

const CORRECT_LEASES = sql(`
  update mail_queue set next_attempt_at = $1, leased_until = $1 where leased_until > $1`);

/** Shortens leases that end later than `latest` to that time. */
export function correctLeases(tx: Tx, latest: number): Promise<number> {
  return tx.run(CORRECT_LEASES, latest);
}

const CORRECT_DELAYS = sql(`
  update mail_queue set next_attempt_at = $1 where id in (
    select id from mail_queue where priority = $2 and next_attempt_at > $3 order by next_attempt_at limit $4)`);

export interface Correction {
  readonly now: number;
  /** The latest time that the next attempt of a message can have. */
  readonly latest: number;
  readonly limit: number;
}

/** Makes messages due whose next attempt is later than possible; returns the number, `limit` or less of a priority. */
export async function correctDelays(tx: Tx, { now, latest, limit }: Correction): Promise<number> {
  let corrected = 0;
  for (const priority of PRIORITIES) corrected += await tx.run(CORRECT_DELAYS, now, priority, latest, limit);
  return corrected;
}
