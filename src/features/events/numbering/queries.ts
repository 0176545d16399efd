/** Numbers, sequences and digests of events, and counts by hour and cause of those that can be caused at any rate. */
import type { Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareExists,
  prepareForRows,
  prepareGet,
  prepareRun,
  prepareValue,
} from '../../../database/prepare.ts';
import { HOUR } from '../../../lib/time.ts';
import type { ChainedContent, ContentHashes } from '../chain/chain.ts';
import type { NewEventRow } from '../queries.ts';

export const hasUnnumbered = prepareExists<[after: string]>(
  'select id from events where number is null and id > $1 order by id limit 1',
);

export type UnnumberedRow = Omit<ChainedContent, 'sequence'> & { readonly mark: string | null };

export const readUnnumbered = prepareAll<UnnumberedRow, [after: string, limit: number]>(`
  select id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device, mark from events
  where number is null and id > $1 order by id limit $2`);

export interface ChainHead {
  readonly number: number;
  readonly digest: string;
}

/** Returns the last event and locks the chain until the end of the transaction. */
export const lockChain = prepareGet<ChainHead, [], Tx>(
  'update event_chain set number = number where id = 1 returning number, digest',
);

export const writeHead = prepareRun<ChainHead>(
  'update event_chain set number = $number, digest = $digest where id = 1',
);

const SEQUENCES = prepareForRows<{ subject: string; sequence: number }>(
  { subject: 'text' },
  `select event_subjects.subject, event_subjects.sequence
    from given cross join event_subjects where event_subjects.subject = given.subject`,
);

/** Returns the number of events that each subject has had. */
export async function readSequences(tx: Tx, subjects: readonly string[]): Promise<Map<string, number>> {
  const rows = await SEQUENCES.all(tx, subjects);
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]));
}

export const { run: writeSequences } = prepareForRows<never, readonly [subject: string, sequence: number]>(
  { subject: 'text', sequence: 'bigint' },
  `insert into event_subjects (subject, sequence) select subject, sequence from given where true
    on conflict (subject) do update set sequence = excluded.sequence`,
);

/** The columns that numbering sets. */
export interface NumberedEvent extends ChainHead, ContentHashes {
  readonly id: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly mark: string | null;
}

const NUMBERED = {
  number: 'bigint',
  sequence: 'bigint',
  content_hash: 'text',
  network_hash: 'text',
  device_hash: 'text',
  digest: 'text',
  mark: 'text',
} as const;
const NAMES = Object.keys(NUMBERED);

/** With the inner join, SQLite finds each event by its key. */
export const { run: writeNumbers } = prepareForRows<never, NumberedEvent>(
  { id: 'text', ...NUMBERED },
  `update events set ${NAMES.map((name) => `${name} = found.${name}`)}
    from (
      select events.id, ${NAMES.map((name) => `given.${name}`)}
      from given cross join events where events.id = given.id) as found
    where events.id = found.id`,
);

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
type CountedEvent = Pick<
  NewEventRow,
  'type' | 'subject' | 'actor' | 'actor_id' | 'reason' | 'network' | 'created_at'
>;

/** The key of a count, the number of occurrences, and how many of an hour are recorded one by one. */
interface CountLimit {
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
