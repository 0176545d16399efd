import { type Reader, sql, type Tx } from '../../database/database.ts';
import type { ChainedContent, ContentHashes } from './chain/chain.ts';
import { listRecorded, makeMark } from './chain/marks.ts';
import type { EventType } from './event-types.ts';

/** An event before it has a number. */
export interface NewEventRow extends Omit<ChainedContent, 'sequence'> {
  readonly type: EventType;
  readonly actor: string;
}

/** A numbered event. Its type is null when its content was removed because there are newer ones of its kind. */
export interface EventRow extends ChainedContent {
  readonly type: EventType | null;
  readonly number: number;
}

/** An event with its members of the chain. */
export interface ChainedRow extends EventRow, ContentHashes {
  readonly digest: string;
  readonly mark: string | null;
}

/** The columns of `EventRow`. */
export const EVENT_COLUMNS = `id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device,
  number, sequence`;

const INSERT = sql(`
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device, mark)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`);

/** The place of the id among the recorded members. */
const ACTOR_ID = 5;

/** Stores the event with its mark, which does not cover the id of an actor whom the personal data name. */
export async function insertEvent(tx: Tx, row: NewEventRow): Promise<void> {
  const recorded = listRecorded(row);
  const mark = makeMark(tx, 'recorded', ...recorded);
  await tx.run(INSERT, ...recorded.with(ACTOR_ID, row.actor_id), row.network, row.device, mark);
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
export async function listEventTimesSince(reader: Reader, search: EventSearch): Promise<number[]> {
  const { subject, type, since, limit } = search;
  const rows = await reader.all(TIMES_SINCE, subject, type, since, limit);
  return rows.map(({ created_at }) => created_at);
}

const LATEST_OF_TYPE = sql<Pick<EventRow, 'id' | 'created_at'>>(`
  select id, created_at from events where subject = $1 and type = $2 order by created_at desc limit 1`);

/** Returns the latest event of one type, numbered or not. */
export function findLatestEvent(reader: Reader, subject: string, type: EventType) {
  return reader.get(LATEST_OF_TYPE, subject, type);
}

/** Whether the user's password was changed or reset after `since`. */
export async function hasNewPasswordSince(reader: Reader, subject: string, since: number): Promise<boolean> {
  // One type at a time: with both in one statement, PostgreSQL may read all events of the user.
  for (const type of ['password.changed', 'password.reset'] as const) {
    if ((await listEventTimesSince(reader, { subject, type, since, limit: 1 })).length > 0) return true;
  }
  return false;
}

const NEXT = sql<ChainedRow>(`
  select ${EVENT_COLUMNS}, content_hash, network_hash, device_hash, digest, mark from events
  where number > $1 order by number limit $2`);

/** Returns the events after a number, oldest first, removed ones among them. */
export function readEventsAfter(reader: Reader, number: number, limit: number): Promise<ChainedRow[]> {
  return reader.all(NEXT, number, limit);
}

/** Event with its number, as programs receive it. */
export type ThinEventRow = Pick<
  ChainedRow,
  'id' | 'created_at' | 'type' | 'subject' | 'sequence' | 'number' | 'digest'
>;

const NEXT_THIN = sql<ThinEventRow>(`
  select id, created_at, type, subject, sequence, number, digest from events
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
  /** The last event that was deleted because of its age. */
  readonly deleted_number: number;
  readonly deleted_digest: string;
}

const CHAIN = sql<Chain>(
  'select number, digest, deleted_number, deleted_digest from event_chain where id = 1',
);

export async function readChain(reader: Reader): Promise<Chain> {
  return (await reader.get(CHAIN))!;
}

const DIGEST = sql<{ digest: string }>('select digest from events where number = $1');

/** Returns the digest of the event with this number, also of the last one that was deleted; undefined if there is none. */
export async function findDigest(
  reader: Reader,
  number: number,
  { deleted_number, deleted_digest }: Chain,
): Promise<string | undefined> {
  if (number === deleted_number) return deleted_digest;
  return (await reader.get(DIGEST, number))?.digest;
}

/** The chain with its marks. */
export interface MarkedChain extends Chain {
  /** The time of the last event that was deleted; 0 if it is not known. */
  readonly deleted_at: number;
  readonly deleted_mark: string | null;
  /** The last event that needs no mark of its own. */
  readonly accepted_number: number;
  readonly accepted_digest: string | null;
  readonly accepted_mark: string | null;
}

const MARKED_CHAIN = sql<MarkedChain>(`
  select number, digest, deleted_number, deleted_digest, deleted_at, deleted_mark, accepted_number, accepted_digest,
         accepted_mark
  from event_chain where id = 1`);

/** Returns undefined if somebody has removed the row. */
export function readMarkedChain(reader: Reader): Promise<MarkedChain | undefined> {
  return reader.get(MARKED_CHAIN);
}

const WRITE_ACCEPTED = sql(`
  update event_chain set accepted_number = $1, accepted_digest = $2, accepted_mark = $3, deleted_mark = $4
  where id = 1`);

export async function writeAccepted(
  tx: Tx,
  marks: Pick<MarkedChain, 'accepted_number' | 'accepted_digest' | 'accepted_mark' | 'deleted_mark'>,
): Promise<void> {
  const { accepted_number, accepted_digest, accepted_mark, deleted_mark } = marks;
  await tx.run(WRITE_ACCEPTED, accepted_number, accepted_digest, accepted_mark, deleted_mark);
}
/** Also the id of a user who acted on another subject, where the hash of the device covers it. */
const FORGET_EVENTS = `
  update events set network = null, device = null,
    actor_id = case when device like '%"actor_id":%' then null else actor_id end`;

const FORGET = sql<{ id: string }>(`
  ${FORGET_EVENTS} where id in (
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
export async function deletePersonalData(tx: Tx, { subject, after, limit }: EventBatch) {
  const ids = (await tx.all(FORGET, subject, after, limit)).map(({ id }) => id);
  return { changed: ids.length, last: ids.reduce((last, id) => (id > last ? id : last), after) };
}

const FORGET_ACTOR = sql(`
  ${FORGET_EVENTS} where id in (
    select id from events
    where actor_id = $1 and actor = 'user' and (subject is null or subject <> 'user:' || actor_id)
      and (network is not null or device is not null)
    order by id limit $2)`);

/** Deletes personal data of events that a user has caused on other subjects; returns the number of these events. */
export function forgetActor(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(FORGET_ACTOR, userId, limit);
}

const FIND_USER = sql<{ id: string }>('select id from users where id = $1');

/** Whether the user is not erased. */
export async function hasUser(reader: Reader, userId: string): Promise<boolean> {
  return (await reader.get(FIND_USER, userId)) !== undefined;
}

const LOCK_USER = sql<{ id: string }>('update users set version = version where id = $1 returning id');

/** Whether the user is not erased, and will not be before the end of the transaction. */
export async function lockSubject(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.get(LOCK_USER, userId)) !== undefined;
}

const FORGET_COUNTS = sql(`
  delete from event_counts where hour = $1 and count_key > $2 and count_key < $3`);

/** Deletes the counts of a subject in an hour since the epoch. */
export async function deleteCounts(tx: Tx, subject: string, hour: number): Promise<void> {
  await tx.run(FORGET_COUNTS, hour, `${subject} `, `${subject}!`);
}

const FORGET_NETWORKS = sql(`
  update events set network = null where id in (
    select id from events where network is not null and created_at < $1 order by created_at limit $2)`);

/** Deletes the addresses of at most `limit` events before `before`; returns their number. */
export function deleteNetworksBefore(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(FORGET_NETWORKS, before, limit);
}

const LATEST_OF_SUBJECT = sql<EventRow>(`
  select ${EVENT_COLUMNS} from events where subject = $1 and number > 0 order by number desc limit $2`);

/** Returns the latest events of a subject that have a number, newest first. */
export function readLatestOfSubject(reader: Reader, subject: string, limit: number): Promise<EventRow[]> {
  return reader.all(LATEST_OF_SUBJECT, subject, limit);
}
