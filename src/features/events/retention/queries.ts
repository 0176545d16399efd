/** Deletion of old events, and of the content of repeated ones. */
import type { Tx } from '../../../database/database.ts';
import { prepareAll, prepareForRows, prepareGet, prepareRun } from '../../../database/prepare.ts';
import { makeMark } from '../chain/chain.ts';
import type { EventType } from '../event-types.ts';
import type { ChainedRow } from '../queries.ts';

/** Epoch milliseconds. */
export interface Age {
  readonly before: number;
  readonly now: number;
}

type OldEvent = Pick<ChainedRow, 'number' | 'digest' | 'created_at' | 'type' | 'subject'>;

const findOldest = prepareAll<OldEvent, [limit: number]>(
  'select number, digest, created_at, type, subject from events where number > 0 order by number limit $1',
);
/** No index has the expression: the next number is found first. */
const findNextTime = prepareGet<{ created_at: number }, [after: number, now: number]>(
  'select created_at from events where number > $1 and created_at + 0 <= $2 order by number limit 1',
);

/** Returns at most `limit` events from the start of the chain that happened before the time. */
export async function readOldEvents(tx: Tx, { before, now }: Age, limit: number): Promise<OldEvent[]> {
  const oldest = await findOldest(tx, limit);
  const end = oldest.findIndex(({ created_at }) => created_at >= before && created_at <= now);
  const found = end === -1 ? oldest : oldest.slice(0, end);
  const isOld = ({ created_at }: { readonly created_at: number }) => created_at < before;
  // Those with a time in the future, by a clock that was wrong, are as old as the event after them.
  const next = end === -1 && found.length > 0 && (await findNextTime(tx, found.at(-1)!.number, now));
  return next && isOld(next) ? found : found.slice(0, found.findLastIndex(isOld) + 1);
}

const deleteUpTo = prepareRun<[number: number]>('delete from events where number > 0 and number <= $1');
const writeDeleted = prepareRun<[number: number, digest: string, at: number, mark: string | null]>(`
  update event_chain set deleted_number = $1, deleted_digest = $2, deleted_at = $3, deleted_mark = $4
  where id = 1 and deleted_number < $1`);

/** Deletes the events up to the last of these, and marks it as the new start of the chain. */
export async function deleteStart(tx: Tx, old: readonly OldEvent[], before: number): Promise<void> {
  const { number, digest } = old.at(-1)!;
  const times = old.map(({ created_at }) => created_at).filter((time) => time < before);
  const deletedAt = Math.max(0, ...times);
  await deleteUpTo(tx, number);
  await writeDeleted(tx, number, digest, deletedAt, makeMark(tx, 'deleted', number, digest, deletedAt));
}

export const { run: deleteSubjects } = prepareForRows<never, string | null>(
  { subject: 'text' },
  'delete from event_subjects where subject in (select subject from given)',
);

type KeptEvent = Pick<ChainedRow, 'id' | 'number' | 'digest'>;

/** Events of one type that one actor has caused to one subject. */
interface RepeatedEvents {
  readonly subject: string;
  readonly type: EventType;
  readonly actor_id: string;
}

/**
 * Returns the newest events with content after the first `kept`. The expressions leave the index by subject and type,
 * which has them in order.
 */
export const readNewestAfter = prepareAll<KeptEvent, RepeatedEvents & { kept: number; limit: number }>(`
  select id, number, digest from events
  where subject = $subject and type = $type and coalesce(actor_id, '') = $actor_id and coalesce(number, 0) > 0
  order by created_at desc limit $limit offset $kept`);

const REMOVE = prepareForRows(
  { id: 'text', mark: 'text' },
  `update events set type = null, subject = null, actor = null, actor_id = null, outcome = null, reason = null,
                      data = null, network = null, device = null, sequence = null,
                      mark = (select given.mark from given where given.id = events.id)
    where id in (select id from given)`,
);

/** Removes everything of events but their time, number and hashes, and marks them. */
export async function removeContent(tx: Tx, events: readonly KeptEvent[]): Promise<void> {
  const rows = events.map(({ id, number, digest }) => [id, makeMark(tx, 'removed', number, digest)]);
  await REMOVE.run(tx, rows);
}
