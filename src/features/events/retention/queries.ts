/** Deletion of old events, and of the content of repeated ones. */
import { sql, type Tx } from '../../../database/database.ts';
import { sqlForRows } from '../../../database/rows.ts';
import { makeMark } from '../chain/marks.ts';
import type { EventType } from '../event-types.ts';
import type { ChainedRow } from '../queries.ts';

/** Epoch milliseconds. */
export interface Age {
  readonly before: number;
  readonly now: number;
}

type OldEvent = Pick<ChainedRow, 'number' | 'digest' | 'created_at' | 'type' | 'subject'>;

const OLDEST = sql<OldEvent>(
  'select number, digest, created_at, type, subject from events where number > 0 order by number limit $1',
);
/** No index has the expression: the next number is found first. */
const NEXT_TIME = sql<{ created_at: number }>(
  'select created_at from events where number > $1 and created_at + 0 <= $2 order by number limit 1',
);

/** Returns at most `limit` events from the start of the chain that happened before the time. */
export async function readOldEvents(tx: Tx, { before, now }: Age, limit: number): Promise<OldEvent[]> {
  const oldest = await tx.all(OLDEST, limit);
  const end = oldest.findIndex(({ created_at }) => created_at >= before && created_at <= now);
  const found = end === -1 ? oldest : oldest.slice(0, end);
  const isOld = ({ created_at }: { readonly created_at: number }) => created_at < before;
  // Those with a time in the future, by a clock that was wrong, are as old as the event after them.
  const next = end === -1 && found.length > 0 && (await tx.get(NEXT_TIME, found.at(-1)!.number, now));
  return next && isOld(next) ? found : found.slice(0, found.findLastIndex(isOld) + 1);
}

const DELETE_UP_TO = sql('delete from events where number > 0 and number <= $1');
const WRITE_DELETED = sql(`
  update event_chain set deleted_number = $1, deleted_digest = $2, deleted_at = $3, deleted_mark = $4
  where id = 1 and deleted_number < $1`);

/** Deletes the events up to the last of these, and marks it as the new start of the chain. */
export async function deleteStart(tx: Tx, old: readonly OldEvent[], before: number): Promise<void> {
  const { number, digest } = old.at(-1)!;
  const times = old.map(({ created_at }) => created_at).filter((time) => time < before);
  const deletedAt = Math.max(0, ...times);
  await tx.run(DELETE_UP_TO, number);
  const mark = makeMark(tx, 'deleted', number, digest, deletedAt);
  await tx.run(WRITE_DELETED, number, digest, deletedAt, mark);
}

const DELETE_SUBJECTS = sqlForRows(
  { columns: { subject: 'text' } },
  (given) => `
    with ${given}
    delete from event_subjects where subject in (select subject from given)`,
);

export async function deleteSubjects(tx: Tx, subjects: readonly (string | null)[]): Promise<void> {
  if (subjects.length === 0) return;
  const { statement, values } = DELETE_SUBJECTS(
    [],
    subjects.map((subject) => [subject]),
  );
  await tx.run(statement, ...values);
}

type KeptEvent = Pick<ChainedRow, 'id' | 'number' | 'digest'>;

/** Events of one type that one actor has caused to one subject. */
export interface RepeatedEvents {
  readonly subject: string;
  readonly type: EventType;
  readonly actor_id: string;
}

/** The expressions leave the index by subject and type, which has them in order. */
const NEWEST = sql<KeptEvent>(`
  select id, number, digest from events
  where subject = $1 and type = $2 and coalesce(actor_id, '') = $3 and coalesce(number, 0) > 0
  order by created_at desc limit $4 offset $5`);

/** Returns the newest events with content after the first `kept`. */
export function readNewestAfter(
  tx: Tx,
  { subject, type, actor_id }: RepeatedEvents,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<KeptEvent[]> {
  return tx.all(NEWEST, subject, type, actor_id, limit, kept);
}

const REMOVE = sqlForRows(
  { columns: { id: 'text', mark: 'text' } },
  (given) => `
    with ${given}
    update events set type = null, subject = null, actor = null, actor_id = null, outcome = null, reason = null,
                      data = null, network = null, device = null, sequence = null,
                      mark = (select given.mark from given where given.id = events.id)
    where id in (select id from given)`,
);

/** Removes everything of at most 500 events but their time, number and hashes, and marks them. */
export async function removeContent(tx: Tx, events: readonly KeptEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, number, digest }) => [id, makeMark(tx, 'removed', number, digest)]);
  const { statement, values } = REMOVE([], rows);
  await tx.run(statement, ...values);
}
