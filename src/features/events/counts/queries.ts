/** Counts of events that can be caused at any rate, by hour and cause. */
import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import type { NewEventRow } from '../queries.ts';

const COUNT = sql<{ occurrences: number }>(`
  insert into event_counts
    (hour, count_key, type, subject, actor, actor_id, reason, network, occurrences, first_at, last_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $9)
  on conflict (hour, count_key) do update
    set occurrences = event_counts.occurrences + 1, last_at = excluded.last_at
  returning occurrences`);

/** The members of an event that its count has. */
export type CountedEvent = Pick<
  NewEventRow,
  'type' | 'subject' | 'actor' | 'actor_id' | 'reason' | 'network' | 'created_at'
>;

/** Counts one more occurrence in its hour, and returns their number. */
export async function countOccurrence(tx: Tx, row: CountedEvent, key: string): Promise<number> {
  const { type, subject, actor, actor_id, reason, network, created_at } = row;
  const hour = Math.floor(created_at / HOUR);
  const values = [hour, key, type, subject, actor, actor_id, reason, network, created_at];
  return (await tx.get(COUNT, ...values))!.occurrences;
}

/** Networks that are counted apart within an hour. */
const MAX_NETWORKS = 1_000;

const MANY_NETWORKS = sql<{ found: number }>(`
  select 1 as found from event_counts
  where hour = $1 and count_key >= 'network ' and count_key < 'network!' order by count_key limit 1 offset $2`);

/** Whether so many networks have caused events of this hour that more of them are counted together. */
export async function hasManyNetworks(reader: Reader, hour: number): Promise<boolean> {
  return (await reader.get(MANY_NETWORKS, hour, MAX_NETWORKS)) !== undefined;
}

/** What was counted of one cause within an hour. */
export interface CountRow extends Omit<CountedEvent, 'created_at'> {
  readonly hour: number;
  readonly count_key: string;
  readonly occurrences: number;
  readonly first_at: number;
  readonly last_at: number;
}

const FIND_ENDED = sql<{ hour: number }>('select hour from event_counts where hour < $1 limit 1');

/** Whether an hour has ended of which something was counted. */
export async function hasEndedCounts(reader: Reader, now: number): Promise<boolean> {
  return (await reader.get(FIND_ENDED, Math.floor(now / HOUR))) !== undefined;
}

const TAKE_ENDED = sql<CountRow>(`
  delete from event_counts where (hour, count_key) in (
    select hour, count_key from event_counts where hour < $1 order by hour, count_key limit $2)
  returning hour, count_key, type, subject, actor, actor_id, reason, network, occurrences, first_at, last_at`);

/** Removes the counts of at most `limit` causes in hours that have ended, and returns them. */
export function takeEndedCounts(tx: Tx, now: number, limit: number): Promise<CountRow[]> {
  return tx.all(TAKE_ENDED, Math.floor(now / HOUR), limit);
}
