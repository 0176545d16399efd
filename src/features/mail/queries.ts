import { type Reader, sql, type Tx } from '../../database/database.ts';
import { type Priority, URGENT } from '../jobs/priority.ts';
import { createFindDue } from '../jobs/queries.ts';

/** Messages without a link, about something that has happened. */
export const NOTICE_KINDS = [
  'password_changed',
  'email_change_requested',
  'email_changed',
  'new_network',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const MAIL_KINDS = [
  'verify_email',
  'change_email',
  'reset_password',
  'claim_account',
  ...NOTICE_KINDS,
  // To the operator.
  'webhook_disabled',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export type MailOrigin = 'anonymous' | 'user' | 'administrator';

/** A message that waits to be sent. Contains no secret. */
export interface MailRow {
  readonly id: string;
  readonly kind: MailKind;
  /** Null for a message to an address that may have no account. */
  readonly user_id: string | null;
  readonly email: string;
  /** JSON with what the template of the kind needs besides the user's record. */
  readonly data: string;
  /** Number of attempts that have begun. */
  readonly attempts: number;
  /** Why the last attempt has failed, in short; null before the first failure. */
  readonly last_error: string | null;
  /** Whose action has queued it. */
  readonly origin: MailOrigin;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}

export interface NewMailRow extends Omit<MailRow, 'attempts' | 'last_error' | 'expires_at'> {
  readonly emailKey: string;
  readonly priority: Priority;
  readonly nextAttemptAt: number;
  readonly expiresAt: number;
}

const INSERT = sql(`
  insert into jobs
    (id, queue, kind, user_id, email, email_key, data, attempts, next_attempt_at, created_at, expires_at,
     priority, origin)
  values ($1, 'mail', $2, $3, $4, $5, $6, 0, $7, $8, $9, $10, $11)`);

export async function insertMail(tx: Tx, mail: NewMailRow): Promise<void> {
  const { id, kind, user_id, email, emailKey, data, nextAttemptAt, created_at } = mail;
  const values = [id, kind, user_id, email, emailKey, data, nextAttemptAt, created_at];
  await tx.run(INSERT, ...values, mail.expiresAt, mail.priority, mail.origin);
}

const COLUMNS = [
  'id',
  'kind',
  'user_id',
  'email',
  'data',
  'attempts',
  'last_error',
  'origin',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof MailRow)[];

const findDue = createFindDue<MailRow>('mail', COLUMNS);

/**
 * Returns messages whose next attempt is due, the most urgent first, expired ones among them, without those that a
 * node sends now.
 */
export function findDueMail(reader: Reader, now: number, limit: number): Promise<MailRow[]> {
  return findDue(reader, { now, limit });
}

/** Like `findDueMail`, the most urgent ones only. */
export function findUrgentMail(reader: Reader, now: number, limit: number): Promise<MailRow[]> {
  return findDue(reader, { now, limit, priorities: [URGENT] });
}

const DELETE_LINK_MAIL = sql<MailRow>(`
  delete from jobs
  where user_id = $1 and kind in ('reset_password', 'claim_account', 'change_email')
  returning ${COLUMNS}`);

/** Deletes the messages to a user with links that give access to the account or change its email; returns them. */
export function deleteLinkMail(tx: Tx, userId: string): Promise<MailRow[]> {
  return tx.all(DELETE_LINK_MAIL, userId);
}

const DELETE_OF_KIND = sql<MailRow>(`delete from jobs where user_id = $1 and kind = $2 returning ${COLUMNS}`);

/** Deletes the messages of one kind to a user, and returns them. */
export function deleteMailOfKind(tx: Tx, userId: string, kind: MailKind): Promise<MailRow[]> {
  return tx.all(DELETE_OF_KIND, userId, kind);
}

const DELETE_RESET_REQUESTS = sql<MailRow>(`
  delete from jobs where email_key = $1 and kind = 'reset_password' and user_id is null
  returning ${COLUMNS}`);

/**
 * Deletes the messages that any caller has requested for an address, to reset the password of its account; returns
 * them.
 */
export function deleteResetRequests(tx: Tx, emailKey: string): Promise<MailRow[]> {
  return tx.all(DELETE_RESET_REQUESTS, emailKey);
}

const DELETE_TO = sql(`
  delete from jobs where id in (select id from jobs where email_key = $1 limit $2)`);

/** Deletes messages to an address, at most `limit`; returns their number. */
export function deleteMailTo(tx: Tx, emailKey: string, limit: number): Promise<number> {
  return tx.run(DELETE_TO, emailKey, limit);
}

const LATER = sql<{ id: string }>('select id from jobs where user_id = $1 and kind = $2 and id > $3 limit 1');

/** Whether another message of this kind to this user was queued later. */
export async function hasLaterMail(reader: Reader, { id, kind, user_id }: MailRow): Promise<boolean> {
  return (await reader.get(LATER, user_id, kind, id)) !== undefined;
}

const WAITING_NOTICE = sql<{ id: string }>(`
  select id from jobs
  where user_id = $1 and kind = $2 and expires_at > $3 and (leased_until is null or leased_until <= $3) limit 1`);

export interface NoticeSearch {
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly now: number;
}

/** Whether a notice of this kind to this user waits, as opposed to one that a node sends now. */
export async function hasWaitingNotice(
  reader: Reader,
  { userId, kind, now }: NoticeSearch,
): Promise<boolean> {
  return (await reader.get(WAITING_NOTICE, userId, kind, now)) !== undefined;
}

/** With the condition and the order of the partial index `jobs_anonymous`. */
const COUNT_ANONYMOUS = sql<{ messages: number }>(`
  select count(*) as messages from (
    select 1 from jobs where origin = 'anonymous' order by expires_at limit $1) as requested`);

/** Counts the stored messages that anonymous callers have requested, up to `limit`. */
export async function countAnonymousMail(reader: Reader, limit: number): Promise<number> {
  return (await reader.get(COUNT_ANONYMOUS, limit))!.messages;
}
