/** Counts of events that can be caused at any rate, by hour and cause. */
import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import type { NewEventRow } from '../queries.ts';

/** Less than a minute with the time that numbering takes: counted occurrences become an event that soon. */
const MAX_WAIT_MS = 45_000;

/** `recorded` counts those that are recorded one by one, and `first_at` is that of the others since the last event. */
const COUNT = sql<{ occurrences: number }>(`
  insert into event_counts
    (hour, count_key, type, subject, actor, actor_id, reason, network, occurrences, recorded, first_at, last_at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $11, case when cast($11 as bigint) < $10 then $11 else $10 end, $9, $9,
          case when cast($11 as bigint) > $10 then cast($9 as bigint) + ${MAX_WAIT_MS} end)
  on conflict (hour, count_key) do update
    set occurrences = event_counts.occurrences + excluded.occurrences, last_at = excluded.last_at,
        recorded = event_counts.recorded + case
          when event_counts.occurrences >= $10 then 0
          when event_counts.occurrences + excluded.occurrences <= $10 then excluded.occurrences
          else $10 - event_counts.occurrences end,
        first_at = case when event_counts.due_at is null then excluded.first_at else event_counts.first_at end,
        due_at = case when event_counts.occurrences + excluded.occurrences <= $10 then null
                      else coalesce(event_counts.due_at, excluded.first_at + ${MAX_WAIT_MS}) end
  returning occurrences`);

/** The members of an event that its count has. */
export type CountedEvent = Pick<
  NewEventRow,
  'type' | 'subject' | 'actor' | 'actor_id' | 'reason' | 'network' | 'created_at'
>;

/** Where occurrences are counted, how many there are, and how many of an hour are recorded one by one. */
export interface CountLimit {
  readonly key: string;
  readonly count: number;
  readonly limit: number;
}

/** Counts occurrences in their hour, and returns the number of all. */
export async function countOccurrences(
  tx: Tx,
  row: CountedEvent,
  { key, count, limit }: CountLimit,
): Promise<number> {
  const { type, subject, actor, actor_id, reason, network, created_at } = row;
  const hour = Math.floor(created_at / HOUR);
  const values = [hour, key, type, subject, actor, actor_id, reason, network, created_at, limit, count];
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

/** What was counted of one cause, and is no event yet. */
export interface CountRow extends Omit<CountedEvent, 'created_at'> {
  readonly occurrences: number;
  readonly first_at: number;
  readonly last_at: number;
}

const FIND_DUE = sql<{ due_at: number }>(
  'select due_at from event_counts where due_at <= $1 order by due_at limit 1',
);

/** Whether occurrences were counted that have to become an event. */
export async function hasDueCounts(reader: Reader, now: number): Promise<boolean> {
  return (await reader.get(FIND_DUE, now)) !== undefined;
}

const TAKE_DUE = sql<CountRow>(`
  update event_counts set recorded_before = recorded, recorded = occurrences, due_at = null
  where (hour, count_key) in (
    select hour, count_key from event_counts where due_at <= $1 order by due_at limit $2) and due_at <= $1
  returning type, subject, actor, actor_id, reason, network, recorded - recorded_before as occurrences,
    first_at, last_at`);

/** Returns what was counted of at most `limit` causes, which is recorded from then on. */
export function takeDueCounts(tx: Tx, now: number, limit: number): Promise<CountRow[]> {
  return tx.all(TAKE_DUE, now, limit);
}

const DELETE_ENDED = sql(`
  delete from event_counts where (hour, count_key) in (
    select hour, count_key from event_counts where hour < $1 and due_at is null order by hour, count_key limit $2)`);

/** Deletes at most `limit` counts of hours that have ended; returns their number. */
export function deleteEndedCounts(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_ENDED, Math.floor(now / HOUR), limit);
}
