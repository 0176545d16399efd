import type { Reader, Tx } from '../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareExists,
  prepareForRows,
  prepareGet,
  prepareRun,
} from '../../database/prepare.ts';
import { type ChainedContent, type ContentHashes, listRecorded, makeMark } from './chain/chain.ts';
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

export interface ChainedRow extends EventRow, ContentHashes {
  readonly digest: string;
  readonly mark: string | null;
}

export const EVENT_COLUMNS = `id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device,
  number, sequence`;

const NAMES = 'id created_at type subject actor actor_id outcome reason data network device mark'.split(' ');
const insertOne = prepareRun<NewEventRow & { readonly mark: string | null }>(
  `insert into events (${NAMES}) values (${NAMES.map((name) => `$${name}`)})`,
);
const INSERT = prepareForRows(
  Object.fromEntries(NAMES.map((name) => [name, name === 'created_at' ? 'bigint' : 'text'])),
  `insert into events (${NAMES}) select ${NAMES} from given where true`,
);

/**
 * Stores events with their marks. A mark does not cover the id of an actor that is personal data. No other function adds
 * events.
 */
export async function insertEvents(tx: Tx, rows: readonly NewEventRow[]): Promise<void> {
  const marked = rows.map((row) => ({ ...row, mark: makeMark(tx, 'recorded', ...listRecorded(row)) }));
  // Most are recorded alone, by the statement that costs a third.
  if (marked.length === 1) await insertOne(tx, marked[0]!);
  else await INSERT.run(tx, marked);
}

/** Returns the next numbered events that imports of earlier releases have stored without a mark. */
export const readUnmarkedImports = prepareAll<
  Pick<ChainedRow, 'id' | 'number' | 'digest'>,
  { after: number; data: string; limit: number },
  Tx
>(`
  select id, number, digest from events
  where type = 'user.created' and number > $after and mark is null and actor = 'administrator' and actor_id is null
    and outcome = 'success' and reason is null and data = $data and network_hash is null and device_hash is null
  order by type, number limit $limit`);

export const { run: writeMarks } = prepareForRows(
  { id: 'text', mark: 'text' },
  `update events set mark = (select given.mark from given where given.id = events.id)
    where id in (select id from given)`,
);

/** Returns the latest events of one type after `since`, newest first, those of this transaction too. */
export const findEventTimesSince = prepareAll<
  { readonly created_at: number },
  { subject: string; type: EventType; since: number; limit: number }
>(`
  select created_at from events
  where subject = $subject and type = $type and created_at > $since order by created_at desc limit $limit`);

/** Returns the latest event of one type, numbered or not. */
export const findLatestEvent = prepareGet<
  Pick<EventRow, 'id' | 'created_at' | 'data'>,
  [subject: string, type: EventType]
>(`
  select id, created_at, data from events where subject = $1 and type = $2 order by created_at desc limit 1`);

/** Whether the user's password was changed or reset after `since`. */
export async function hasNewPasswordSince(reader: Reader, subject: string, since: number): Promise<boolean> {
  // One type at a time: with both in one statement, PostgreSQL may read all events of the user.
  for (const type of ['password.changed', 'password.reset'] as const) {
    if ((await findEventTimesSince(reader, { subject, type, since, limit: 1 })).length > 0) return true;
  }
  return false;
}

/** Returns the events after a number, oldest first, removed ones among them. */
export const readEventsAfter = prepareAll<ChainedRow, [number: number, limit: number]>(`
  select ${EVENT_COLUMNS}, content_hash, network_hash, device_hash, digest, mark from events
  where number > $1 order by number limit $2`);

/** Event with its number, as programs receive it. */
export type ThinEventRow = Pick<
  ChainedRow,
  'id' | 'created_at' | 'type' | 'subject' | 'sequence' | 'number' | 'digest'
>;

/** Returns the next events with numbers after `low` and up to `high`, removed ones among them. */
export const readThinEvents = prepareAll<ThinEventRow, { low: number; high: number; limit: number }>(`
  select id, created_at, type, subject, sequence, number, digest from events
  where number > $low and number <= $high order by number limit $limit`);

/** The first and the last event of the chain. */
export interface Chain {
  /** The last number; 0 before the first event. */
  readonly number: number;
  readonly digest: string;
  /** The last event that was deleted because of its age. */
  readonly deleted_number: number;
  readonly deleted_digest: string;
}

const getChain = prepareGet<Chain>(
  'select number, digest, deleted_number, deleted_digest from event_chain where id = 1',
);

export const readChain = async (reader: Reader): Promise<Chain> => (await getChain(reader))!;

const getDigest = prepareGet<{ digest: string }, [number: number]>(
  'select digest from events where number = $1',
);

/** Returns the digest of the event with this number, also of the last one that was deleted; undefined if there is none. */
export async function findDigest(reader: Reader, number: number, { deleted_number, deleted_digest }: Chain) {
  if (number === deleted_number) return deleted_digest;
  return (await getDigest(reader, number))?.digest;
}

export interface MarkedChain extends Chain {
  /** The time of the last event that was deleted; 0 if it is not known. */
  readonly deleted_at: number;
  readonly deleted_mark: string | null;
  /** The last event that needs no mark of its own. */
  readonly accepted_number: number;
  readonly accepted_digest: string | null;
  readonly accepted_mark: string | null;
}

/** Returns undefined if somebody has removed the row. */
export const readMarkedChain = prepareGet<MarkedChain>(`
  select number, digest, deleted_number, deleted_digest, deleted_at, deleted_mark, accepted_number, accepted_digest,
         accepted_mark
  from event_chain where id = 1`);

export const writeAccepted = prepareRun<
  Pick<MarkedChain, 'accepted_number' | 'accepted_digest' | 'accepted_mark' | 'deleted_mark'>
>(`
  update event_chain set accepted_number = $accepted_number, accepted_digest = $accepted_digest,
    accepted_mark = $accepted_mark, deleted_mark = $deleted_mark
  where id = 1`);

/** Also the id of a user who acted on another subject, where the hash of the device covers it. */
const FORGET_EVENTS = `
  update events set network = null, device = null,
    actor_id = case when device like '%"actor_id":%' then null else actor_id end`;

/** Deletes personal data of the next events of a subject after an id; returns their ids. */
export const deletePersonalData = prepareAll<
  { readonly id: string },
  /** PostgreSQL would read all deleted entries of the index before `after` again. */
  { subject: string; after: string; limit: number },
  Tx
>(`
  ${FORGET_EVENTS} where id in (
    select id from events
    where subject = $subject and (network is not null or device is not null) and id > $after
    order by id limit $limit)
  returning id`);

/** Deletes personal data of events that a user has caused on other subjects; returns the number of these events. */
export const forgetActor = prepareRun<[userId: string, limit: number]>(`
  ${FORGET_EVENTS} where id in (
    select id from events
    where actor_id = $1 and actor = 'user' and (subject is null or subject <> 'user:' || actor_id)
      and (network is not null or device is not null)
    order by id limit $2)`);

/** Deletes the same of events that a person has caused as an administrator, whose ids stay. */
export const forgetAdministrator = prepareRun<[userId: string, limit: number]>(`
  update events set network = null, device = null where id in (
    select id from events
    where actor_id = $1 and actor = 'administrator' and (network is not null or device is not null)
    order by id limit $2)`);

/** Whether the user is not erased. */
export const hasUser = prepareExists<[userId: string]>('select id from users where id = $1');

/** Whether the user is not erased, and will not be before the end of the transaction. */
export const lockSubject = prepareChange<[userId: string]>(
  'update users set version = version where id = $1',
);

/** Deletes the counts with these keys in an hour since the epoch. */
export const deleteCountsBetween = prepareRun<[hour: number, after: string, before: string]>(
  'delete from event_counts where hour = $1 and count_key > $2 and count_key < $3',
);

/** Deletes the addresses of at most `limit` events before `before`; returns their number. */
export const deleteNetworksBefore = prepareRun<[before: number, limit: number]>(`
  update events set network = null where id in (
    select id from events where network is not null and created_at < $1 order by created_at limit $2)`);

/** Returns the latest events of a subject that have a number, newest first. */
export const readLatestOfSubject = prepareAll<EventRow, [subject: string, limit: number]>(`
  select ${EVENT_COLUMNS} from events where subject = $1 and number > 0 order by number desc limit $2`);
