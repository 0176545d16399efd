import { type Reader, sql } from '../../../database/database.ts';
import { prepareAll, prepareChange, prepareGet, prepareRun } from '../../../database/prepare.ts';
import type { MailKind, MailRow } from '../queries.ts';
import type { EndReason, EndState, MessageState } from './states.ts';

/** A message that waits, is being sent or has ended. Times in epoch milliseconds. */
export interface MessageRow {
  readonly id: string;
  readonly kind: MailKind;
  readonly user_id: string | null;
  readonly email: string;
  readonly email_key: string;
  readonly state: MessageState;
  readonly reason: EndReason | null;
  /** Number of attempts that have begun. */
  readonly attempts: number;
  readonly last_error: string | null;
  readonly created_at: number;
  /** Null for a message that has ended, as is `expires_at`. */
  readonly next_attempt_at: number | null;
  readonly expires_at: number | null;
  /** Null for a message in the queue. */
  readonly ended_at: number | null;
}

/** With the data of its text. */
export interface StoredMessage extends MessageRow {
  /** JSON of the job; null for messages that are not sent again. */
  readonly data: string | null;
  /** The encrypted text as it was sent; null unless messages are logged. */
  readonly content: Uint8Array | null;
}

type EndedMessage = Omit<StoredMessage, 'next_attempt_at' | 'expires_at'> & { readonly state: EndState };

/** Stores a message that has ended. An earlier outcome is replaced: a message can be dropped while it is being sent. */
export const insertEnded = prepareRun<EndedMessage>(`
  insert into mail_messages
    (id, kind, user_id, email, email_key, state, reason, attempts, last_error, data, content, created_at, ended_at)
  values ($id, $kind, $user_id, $email, $email_key, $state, $reason, $attempts, $last_error, $data, $content,
    $created_at, $ended_at)
  on conflict (id) do update set
    kind = excluded.kind, state = excluded.state, reason = excluded.reason, attempts = excluded.attempts,
    last_error = excluded.last_error, data = excluded.data, content = excluded.content,
    ended_at = excluded.ended_at`);

/** Deletes the oldest messages to an address in a state beyond the newest `kept`, at most `limit`. */
export const trimEnded = prepareRun<{ emailKey: string; state: EndState; kept: number; limit: number }>(`
  delete from mail_messages where id in (
    select id from mail_messages where email_key = $emailKey and state = $state
    order by created_at desc, id desc limit $limit offset $kept)`);

/** Deletes the texts of messages but for those of the newest `kept`, at most `limit`. */
export const trimContents = prepareRun<[kept: number, limit: number]>(`
  update mail_messages set content = null where id in (
    select id from mail_messages where content is not null
    order by ended_at desc, id desc limit $2 offset $1)`);

/** Deletes the texts of at most `limit` messages that ended before `before`; returns their number. */
export const deleteOldContents = prepareRun<[before: number, limit: number]>(`
  update mail_messages set content = null where id in (
    select id from mail_messages where content is not null and ended_at < $1 order by ended_at limit $2)`);

/** Deletes messages that were queued before `before` and have ended, at most `limit`; returns their number. */
export const deleteOldMessages = prepareRun<[before: number, limit: number]>(`
  delete from mail_messages where id in (
    select id from mail_messages where created_at < $1 order by created_at, id limit $2)`);

/** Deletes messages to an address that have ended, at most `limit`; returns their number. */
export const deleteMessagesTo = prepareRun<[emailKey: string, limit: number]>(`
  delete from mail_messages where id in (select id from mail_messages where email_key = $1 limit $2)`);

const ENDED_COLUMNS = `id, kind, user_id, email, email_key, state, reason, attempts, last_error, created_at,
  null as next_attempt_at, null as expires_at, ended_at`;
const QUEUED_COLUMNS = `id, kind, user_id, email, email_key, attempts, last_error, created_at, next_attempt_at,
  expires_at, leased_until`;

/** Messages of a range of times, the newest first. */
export interface MessageRange {
  /** Not included. */
  readonly before: { readonly createdAt: number; readonly id: string };
  /** Included. */
  readonly from: number;
  readonly limit: number;
  readonly now: number;
}

const RANGE = '(created_at, id) < ($1, $2) and created_at >= $3';
const NEWEST = 'order by created_at desc, id desc limit $4';
const ENDED = sql<MessageRow>(`select ${ENDED_COLUMNS} from mail_messages where ${RANGE} ${NEWEST}`);
/** With the state in both comparisons, so that PostgreSQL does not read the messages of all states. */
const ENDED_IN_STATE = sql<MessageRow>(`
  select ${ENDED_COLUMNS} from mail_messages
  where (state, created_at, id) < ($5, $1, $2) and (state, created_at) >= ($5, $3)
  order by state desc, created_at desc, id desc limit $4`);
const ENDED_TO = sql<MessageRow>(
  `select ${ENDED_COLUMNS} from mail_messages where email_key = $5 and ${RANGE} ${NEWEST}`,
);

const toValues = ({ before: { createdAt, id }, from, limit }: MessageRange) =>
  [createdAt, id, from, limit] as const;

/** Returns messages that have ended. */
export function readEnded(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  return reader.all(ENDED, ...toValues(range));
}

export function readEndedInState(
  reader: Reader,
  range: MessageRange,
  state: MessageState,
): Promise<MessageRow[]> {
  return reader.all(ENDED_IN_STATE, ...toValues(range), state);
}

export function readEndedTo(reader: Reader, range: MessageRange, emailKey: string): Promise<MessageRow[]> {
  return reader.all(ENDED_TO, ...toValues(range), emailKey);
}

interface QueuedRow extends Omit<MessageRow, 'state' | 'reason' | 'ended_at'> {
  readonly leased_until: number | null;
}

/** With the condition of the partial index `jobs_mail`: messages alone have a kind. */
const QUEUED = sql<QueuedRow>(
  `select ${QUEUED_COLUMNS} from jobs where kind is not null and ${RANGE} ${NEWEST}`,
);
const QUEUED_TO = sql<QueuedRow>(
  `select ${QUEUED_COLUMNS} from jobs where email_key = $5 and ${RANGE} ${NEWEST}`,
);
const RUNNING = sql<Omit<QueuedRow, 'kind'> & { readonly kind: MailKind | null }>(
  `select ${QUEUED_COLUMNS} from jobs where leased_until > $1 limit $2`,
);

function toMessage({ leased_until, ...row }: QueuedRow, now: number): MessageRow {
  const isSending = leased_until !== null && leased_until > now;
  return { ...row, state: isSending ? 'sending' : 'waiting', reason: null, ended_at: null };
}

/** Returns messages in the queue. */
export async function readQueued(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  return (await reader.all(QUEUED, ...toValues(range))).map((row) => toMessage(row, range.now));
}

export async function readQueuedTo(
  reader: Reader,
  range: MessageRange,
  emailKey: string,
): Promise<MessageRow[]> {
  return (await reader.all(QUEUED_TO, ...toValues(range), emailKey)).map((row) => toMessage(row, range.now));
}

/** Returns messages that a node sends now, at most `limit` in no order: few are at any time. */
export async function readSending(reader: Reader, now: number, limit: number): Promise<MessageRow[]> {
  const running = await reader.all(RUNNING, now, limit);
  // Messages alone have a kind.
  return running.filter((row): row is QueuedRow => row.kind !== null).map((row) => toMessage(row, now));
}

const FIND_QUEUED = sql<QueuedRow & { data: string }>(
  `select ${QUEUED_COLUMNS}, data from jobs where id = $1 and kind is not null`,
);

/** Returns a message in the queue. */
export async function findQueued(
  reader: Reader,
  id: string,
  now: number,
): Promise<(StoredMessage & { readonly data: string }) | undefined> {
  const row = await reader.get(FIND_QUEUED, id);
  return row && { ...toMessage(row, now), data: row.data, content: null };
}

/** Returns a message that has ended. */
export const findEnded = prepareGet<StoredMessage, [id: string]>(
  `select ${ENDED_COLUMNS}, data, content from mail_messages where id = $1`,
);

/** Deletes a message that is queued again; returns false if it is gone or has another state. */
export const removeEnded = prepareChange<MessageRow>(
  'delete from mail_messages where id = $id and state = $state',
);

/** Deletes a message from the queue, unless a node sends it now: then, or if it is gone, returns false. */
export const removeQueued = prepareChange<[id: string, now: number]>(`
  delete from jobs where id = $1 and kind is not null and (leased_until is null or leased_until <= $2)`);

/** Returns messages in the queue that have expired and that no node sends now, at most `limit`. */
export const findExpiredMail = prepareAll<MailRow, [now: number, limit: number]>(`
  select id, kind, user_id, email, data, attempts, last_error, origin, created_at, expires_at from jobs
  where queue = 'mail' and expires_at <= $1 and (leased_until is null or leased_until <= $1)
  order by expires_at limit $2`);
