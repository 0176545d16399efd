import type { Reader } from '../../../database/database.ts';
import { prepareAll, prepareChange, prepareGet, prepareRun } from '../../../database/prepare.ts';
import type { MailRow } from '../queries.ts';

export const MESSAGE_STATES = ['waiting', 'sending', 'sent', 'failed', 'dropped', 'cancelled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** The states of messages that are not in the queue any more. */
export const END_STATES = [
  'sent',
  'failed',
  'dropped',
  'cancelled',
] as const satisfies readonly MessageState[];
export type EndState = (typeof END_STATES)[number];

/** A message that waits, is being sent or has ended. Times in epoch milliseconds. */
export interface MessageRow
  extends Pick<MailRow, 'id' | 'kind' | 'user_id' | 'email' | 'attempts' | 'last_error' | 'created_at'> {
  readonly email_key: string;
  readonly state: MessageState;
  readonly reason: EndReason | null;
  /** Null for a message that has ended, as is `expires_at`. */
  readonly next_attempt_at: number | null;
  readonly expires_at: number | null;
  /** Null for a message in the queue. */
  readonly ended_at: number | null;
}

/** With the data of its text. */
export interface StoredMessage extends MessageRow {
  /** JSON of the job; null for messages that were dropped, or sent by an earlier release. */
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
const QUEUED_COLUMNS = `id, kind, user_id, email, email_key,
  case when leased_until > $now then 'sending' else 'waiting' end as state, null as reason, attempts, last_error,
  created_at, next_attempt_at, expires_at, null as ended_at`;

/** Null for any. Times in epoch milliseconds: `from` is included, `to` is not. */
export interface MessageFilter {
  readonly state: MessageState | null;
  /** A normalized address, or a part of one. */
  readonly recipient: string | null;
  readonly from: number | null;
  readonly to: number | null;
}

/** Messages before a position, the newest first. */
export interface MessageRange extends MessageFilter {
  /** Time of creation of the message at the position, in epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
  readonly from: number;
  readonly limit: number;
  readonly now: number;
}

const RANGE = '(created_at, id) < ($createdAt, $id) and created_at >= $from';
const NEWEST = 'order by created_at desc, id desc limit $limit';

/** Returns messages that have ended. */
export const readEnded = prepareAll<MessageRow, MessageRange>(
  `select ${ENDED_COLUMNS} from mail_messages where ${RANGE} ${NEWEST}`,
);

/** With the state in both comparisons, so that PostgreSQL does not read the messages of all states. */
export const readEndedInState = prepareAll<MessageRow, MessageRange>(`
  select ${ENDED_COLUMNS} from mail_messages
  where (state, created_at, id) < ($state, $createdAt, $id) and (state, created_at) >= ($state, $from)
  order by state desc, created_at desc, id desc limit $limit`);

export const readEndedTo = prepareAll<MessageRow, MessageRange>(
  `select ${ENDED_COLUMNS} from mail_messages where email_key = $recipient and ${RANGE} ${NEWEST}`,
);

/** Returns messages in the queue. With the condition of the partial index `jobs_mail`: messages alone have a kind. */
export const readQueued = prepareAll<MessageRow, MessageRange>(
  `select ${QUEUED_COLUMNS} from jobs where kind is not null and ${RANGE} ${NEWEST}`,
);

export const readQueuedTo = prepareAll<MessageRow, MessageRange>(
  `select ${QUEUED_COLUMNS} from jobs where email_key = $recipient and ${RANGE} ${NEWEST}`,
);

const readRunning = prepareAll<MessageRow, MessageRange>(
  `select ${QUEUED_COLUMNS} from jobs where leased_until > $now limit $limit`,
);

/** Returns the numbers of messages in each state, each up to a limit. */
export const countMessages = prepareGet<
  Readonly<Record<MessageState, number>>,
  { now: number; limit: number }
>(
  `select ${[
    ['sending', 'jobs', 'leased_until > $now and kind is not null'],
    ['waiting', 'jobs', 'kind is not null and (leased_until is null or leased_until <= $now)'],
    ...END_STATES.map((state) => [state, 'mail_messages', `state = '${state}'`]),
  ]
    .map(
      ([name, table, condition]) =>
        `(select count(*) from (select 1 from ${table} where ${condition} limit $limit) as found) as ${name}`,
    )
    .join(', ')}`,
);

/** Returns messages that a node sends now, in no order: few are at any time. */
export async function readSending(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  const { createdAt, id, from } = range;
  const isBefore = (row: MessageRow) =>
    row.created_at < createdAt || (row.created_at === createdAt && row.id < id);
  return (await readRunning(reader, range)).filter(
    (row) => row.kind !== null && row.created_at >= from && isBefore(row),
  );
}

/** Returns a message in the queue. */
export const findQueued = prepareGet<StoredMessage & { readonly data: string }, { id: string; now: number }>(
  `select ${QUEUED_COLUMNS}, data, null as content from jobs where id = $id and kind is not null`,
);

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

/**
 * `rejected`: by the mail server, for good. `expired`: no attempt has succeeded in time. `not_needed`: its reason was
 * gone, for example because the link was revoked or the address confirmed. `limit`: its recipient had got as many
 * messages as the limits allow.
 */
export const END_REASONS = ['rejected', 'expired', 'not_needed', 'limit'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Whether a message that has ended can be sent again: it was not sent, and was not found to be superfluous. */
export const isRetryable = (state: MessageState): boolean => state === 'failed' || state === 'cancelled';
