import { type Reader, sql, type Tx } from '../../database/database.ts';
import { sqlForRows } from '../../database/rows.ts';
import type { ChainedContent, ContentHashes } from './chain/chain.ts';
import type { EventType } from './event-types.ts';

/** An event before it has a number. */
export interface NewEventRow extends Omit<ChainedContent, 'sequence'> {
  readonly type: EventType;
  readonly actor: string;
}

/** A numbered event. Its type is null when it was removed because its subject has newer ones. */
export interface EventRow extends ChainedContent {
  readonly type: EventType | null;
  readonly number: number;
}

/** An event with what the chain says of it. */
export interface ChainedRow extends EventRow, ContentHashes {
  readonly digest: string;
}

/** The columns of `EventRow`. */
export const EVENT_COLUMNS = `id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device,
  number, sequence`;

const INSERT = sql(`
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);

export async function insertEvent(tx: Tx, row: NewEventRow): Promise<void> {
  const { id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device } = row;
  const values = [id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device];
  await tx.run(INSERT, ...values);
}

const TIMES_SINCE = sql<{ created_at: number }>(`
  select created_at from events
  where subject = $1 and type = $2 and created_at > $3 order by created_at desc limit $4`);

export interface EventSearch {
  readonly subject: string;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly limit: number;
}

/** Returns the times of the latest events of one type after `since`, newest first, those of this transaction too. */
export async function eventTimesSince(reader: Reader, search: EventSearch): Promise<number[]> {
  const { subject, type, since, limit } = search;
  const rows = await reader.all(TIMES_SINCE, subject, type, since, limit);
  return rows.map(({ created_at }) => created_at);
}

/** Whether the user's password was changed or reset after `since`. */
export async function hasNewPasswordSince(reader: Reader, subject: string, since: number): Promise<boolean> {
  // One type at a time: with both in one statement, PostgreSQL may read all events of the user.
  for (const type of ['password.changed', 'password.reset'] as const) {
    if ((await eventTimesSince(reader, { subject, type, since, limit: 1 })).length > 0) return true;
  }
  return false;
}

const NEXT = sql<ChainedRow>(`
  select ${EVENT_COLUMNS}, content_hash, network_hash, device_hash, digest from events
  where number > $1 order by number limit $2`);

/** Returns the events after a number, oldest first, removed ones among them. */
export function readEventsAfter(reader: Reader, number: number, limit: number): Promise<ChainedRow[]> {
  return reader.all(NEXT, number, limit);
}

/** What programs get of an event, with its number. */
export type ThinEventRow = Pick<EventRow, 'id' | 'created_at' | 'type' | 'subject' | 'sequence' | 'number'>;

const NEXT_THIN = sql<ThinEventRow>(`
  select id, created_at, type, subject, sequence, number from events
  where number > $1 and number <= $2 order by number limit $3`);

/** Returns the next events with numbers after `low` and up to `high`, removed ones among them. */
export function readThinEvents(
  reader: Reader,
  { low, high }: { readonly low: number; readonly high: number },
  limit: number,
): Promise<ThinEventRow[]> {
  return reader.all(NEXT_THIN, low, high, limit);
}

/** The first and the last event of the chain. */
export interface Chain {
  /** The last number; 0 before the first event. */
  readonly number: number;
  readonly digest: string;
  /** The last one of those that were deleted because of their age. */
  readonly deleted_number: number;
  readonly deleted_digest: string;
}

const CHAIN = sql<Chain>(
  'select number, digest, deleted_number, deleted_digest from event_chain where id = 1',
);

export async function readChain(reader: Reader): Promise<Chain> {
  return (await reader.get(CHAIN))!;
}

const FORGET = sql<{ id: string }>(`
  update events set network = null, device = null where id in (
    select id from events
    where subject = $1 and (network is not null or device is not null) and id > $2 order by id limit $3)
  returning id`);

/** The next events of a subject with personal data, by id. */
export interface EventBatch {
  readonly subject: string;
  /** The id after which the batch begins. PostgreSQL would read all deleted entries of the index before it again. */
  readonly after: string;
  readonly limit: number;
}

/** Deletes personal data of events; returns the number of these events and the last of their ids. */
export async function forgetPersonalData(tx: Tx, { subject, after, limit }: EventBatch) {
  const ids = (await tx.all(FORGET, subject, after, limit)).map(({ id }) => id);
  return { changed: ids.length, last: ids.reduce((last, id) => (id > last ? id : last), after) };
}

const FORGET_COUNTS = sql(`
  delete from event_counts where hour = $1 and count_key > $2 and count_key < $3`);

/** Deletes what was counted of a subject in an hour since the epoch. */
export async function forgetCounts(tx: Tx, subject: string, hour: number): Promise<void> {
  await tx.run(FORGET_COUNTS, hour, `${subject} `, `${subject}!`);
}

const FORGET_NETWORKS = sql(`
  update events set network = null where id in (
    select id from events where network is not null and created_at < $1 order by created_at limit $2)`);

/** Deletes the addresses of at most `limit` events before `before`; returns their number. */
export function forgetNetworksBefore(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(FORGET_NETWORKS, before, limit);
}

const OLDEST = sql<Pick<ChainedRow, 'number' | 'digest' | 'created_at' | 'type' | 'subject'>>(
  'select number, digest, created_at, type, subject from events where number > 0 order by number limit $1',
);
const DELETE_UP_TO = sql('delete from events where number > 0 and number <= $1');
const WRITE_DELETED = sql(
  'update event_chain set deleted_number = $1, deleted_digest = $2 where id = 1 and deleted_number < $1',
);
const DELETE_SUBJECTS = sqlForRows(
  { columns: { subject: 'text' } },
  (given) => `
    with ${given}
    delete from event_subjects where subject in (select subject from given)`,
);

/** Deletes at most `limit` events before `before` from the start of the chain; returns their number. */
export async function deleteOldEvents(tx: Tx, before: number, limit: number): Promise<number> {
  const oldest = await tx.all(OLDEST, limit);
  const end = oldest.findIndex(({ created_at }) => created_at >= before);
  const old = end === -1 ? oldest : oldest.slice(0, end);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await tx.run(DELETE_UP_TO, last.number);
  await tx.run(WRITE_DELETED, last.number, last.digest);
  // Users who are erased and webhooks that are deleted have no further events.
  const ended = old
    .filter(({ type }) => type === 'user.erased' || type === 'webhook.deleted')
    .map(({ subject }) => [subject]);
  if (ended.length > 0) {
    const { statement, values } = DELETE_SUBJECTS([], ended);
    await tx.run(statement, ...values);
  }
  return old.length;
}

const LATEST_OF_SUBJECT = sql<EventRow>(`
  select ${EVENT_COLUMNS} from events where subject = $1 and number > 0 order by number desc limit $2`);

/** Returns the latest events of a subject that have a number, newest first. */
export function readLatestOfSubject(reader: Reader, subject: string, limit: number): Promise<EventRow[]> {
  return reader.all(LATEST_OF_SUBJECT, subject, limit);
}
