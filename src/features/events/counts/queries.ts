/** Counts of events that can be caused at any rate, by hour and cause. */
import type { Tx } from '../../../database/database.ts';
import { prepareAll, prepareExists, prepareRun, prepareValue } from '../../../database/prepare.ts';
import { HOUR } from '../../../lib/time.ts';
import type { NewEventRow } from '../queries.ts';

/** Less than a minute with the time that numbering takes: counted occurrences become an event that soon. */
const MAX_WAIT_MS = 45_000;

/** `recorded` counts those that are recorded one by one, and `first_at` is that of the others since the last event. */
const count = prepareValue<number, CountedEvent & CountLimit & { hour: number }, Tx>(`
  insert into event_counts
    (hour, count_key, type, subject, actor, actor_id, reason, network, occurrences, recorded, first_at, last_at, due_at)
  values ($hour, $key, $type, $subject, $actor, $actor_id, $reason, $network, $count,
          case when cast($count as bigint) < $limit then $count else $limit end, $created_at, $created_at,
          case when cast($count as bigint) > $limit then cast($created_at as bigint) + ${MAX_WAIT_MS} end)
  on conflict (hour, count_key) do update
    set occurrences = event_counts.occurrences + excluded.occurrences, last_at = excluded.last_at,
        recorded = event_counts.recorded + case
          when event_counts.occurrences >= $limit then 0
          when event_counts.occurrences + excluded.occurrences <= $limit then excluded.occurrences
          else $limit - event_counts.occurrences end,
        first_at = case when event_counts.due_at is null then excluded.first_at else event_counts.first_at end,
        due_at = case when event_counts.occurrences + excluded.occurrences <= $limit then null
                      else coalesce(event_counts.due_at, excluded.first_at + ${MAX_WAIT_MS}) end
  returning occurrences`);

/** The members of an event that its count has. */
export type CountedEvent = Pick<
  NewEventRow,
  'type' | 'subject' | 'actor' | 'actor_id' | 'reason' | 'network' | 'created_at'
>;

/** The key of a count, the number of occurrences, and how many of an hour are recorded one by one. */
export interface CountLimit {
  readonly key: string;
  readonly count: number;
  readonly limit: number;
}

/** Counts occurrences in their hour, and returns the number of all. */
export function countOccurrences(tx: Tx, row: CountedEvent, limit: CountLimit): Promise<number> {
  return count(tx, { ...row, ...limit, hour: Math.floor(row.created_at / HOUR) });
}

/** Networks that are counted apart within an hour. */
const MAX_NETWORKS = 1_000;

/** Whether so many networks have caused events of this hour that more of them are counted together. */
export const hasManyNetworks = prepareExists<[hour: number]>(`
  select 1 as found from event_counts
  where hour = $1 and count_key >= 'network ' and count_key < 'network!'
  order by count_key limit 1 offset ${MAX_NETWORKS}`);

/** Counted occurrences of one cause that are not recorded as an event yet. */
export interface CountRow extends Omit<CountedEvent, 'created_at'> {
  readonly occurrences: number;
  readonly first_at: number;
  readonly last_at: number;
}

/** Whether occurrences were counted that have to become an event. */
export const hasDueCounts = prepareExists<[now: number]>(
  'select due_at from event_counts where due_at <= $1 order by due_at limit 1',
);

/** Returns the counted occurrences of at most `limit` causes, and marks them as recorded. */
export const takeDueCounts = prepareAll<CountRow, [now: number, limit: number], Tx>(`
  update event_counts set recorded_before = recorded, recorded = occurrences, due_at = null
  where (hour, count_key) in (
    select hour, count_key from event_counts where due_at <= $1 order by due_at limit $2) and due_at <= $1
  returning type, subject, actor, actor_id, reason, network, recorded - recorded_before as occurrences,
    first_at, last_at`);

const deleteCountsBefore = prepareRun<[hour: number, limit: number]>(`
  delete from event_counts where (hour, count_key) in (
    select hour, count_key from event_counts where hour < $1 and due_at is null order by hour, count_key limit $2)`);

/** Deletes at most `limit` counts of hours that have ended; returns their number. */
export function deleteEndedCounts(tx: Tx, now: number, limit: number): Promise<number> {
  return deleteCountsBefore(tx, Math.floor(now / HOUR), limit);
}
