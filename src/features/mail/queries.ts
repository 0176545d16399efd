import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareExists, prepareRun, prepareValue } from '../../database/prepare.ts';
import { PRIORITIES, type Priority, URGENT } from '../jobs/queries.ts';

/** Messages without a link, about something that has happened. */
export const NOTICE_KINDS = [
  'password_changed',
  'email_change_requested',
  'email_changed',
  'new_network',
  'totp_enabled',
  'totp_disabled',
  'recovery_code_used',
  'identity_linked',
  'passkey_added',
  'passkey_removed',
  'passkey_counter_fell',
  'token_reused',
  'account_taken_over',
  'accounts_merged',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const OPERATOR_KINDS = [
  'webhook_disabled',
  'retention_shortened',
  'form_submissions',
  'backup_failed',
] as const;

/** Whether it is a message to the operator, who need not have an account. */
export function isToOperator(kind: MailKind): boolean {
  return (OPERATOR_KINDS as readonly MailKind[]).includes(kind);
}

export const MAIL_KINDS = [
  'verify_email',
  'change_email',
  'reset_password',
  'claim_account',
  'sign_in_code',
  ...NOTICE_KINDS,
  ...OPERATOR_KINDS,
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
  /** JSON with the data of the template besides the user's record. */
  readonly data: string;
  /** Number of attempts that have begun. */
  readonly attempts: number;
  /** Why the last attempt has failed, in short; null before the first failure. */
  readonly last_error: string | null;
  /** The kind of caller whose request has queued it. */
  readonly origin: MailOrigin;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}

export type NewMailRow = Omit<MailRow, 'attempts' | 'last_error'> & {
  readonly email_key: string;
  readonly priority: Priority;
  readonly next_attempt_at: number;
};

export const insertMail = prepareRun<NewMailRow>(`
  insert into jobs
    (id, queue, kind, user_id, email, email_key, data, attempts, next_attempt_at, created_at, expires_at,
     priority, origin)
  values ($id, 'mail', $kind, $user_id, $email, $email_key, $data, 0, $next_attempt_at, $created_at, $expires_at,
     $priority, $origin)`);

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

/** One priority at a time, so that the index has them in order. */
const findDue = prepareAll<MailRow, [priority: Priority, now: number, limit: number]>(`
  select ${COLUMNS} from jobs
  where queue = 'mail' and priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3`);

/**
 * Returns messages whose next attempt is due, the most urgent first, expired ones among them, without those that a
 * node sends now.
 */
export async function findDueMail(reader: Reader, now: number, limit: number): Promise<MailRow[]> {
  const due: MailRow[] = [];
  for (const priority of PRIORITIES)
    if (due.length < limit) due.push(...(await findDue(reader, priority, now, limit - due.length)));
  return due;
}

/** Like `findDueMail`, the most urgent ones only. */
export function findUrgentMail(reader: Reader, now: number, limit: number): Promise<MailRow[]> {
  return findDue(reader, URGENT, now, limit);
}

/** Deletes the messages to a user with links that give access to the account or change its email; returns them. */
export const deleteLinkMail = prepareAll<MailRow, [userId: string], Tx>(`
  delete from jobs
  where user_id = $1 and kind in ('reset_password', 'claim_account', 'change_email')
  returning ${COLUMNS}`);

/** Deletes the messages of one kind to a user, and returns them. */
export const deleteMailOfKind = prepareAll<MailRow, [userId: string, kind: MailKind], Tx>(
  `delete from jobs where user_id = $1 and kind = $2 returning ${COLUMNS}`,
);

/**
 * Deletes the messages that any caller has requested for an address, to reset the password of its account; returns
 * them.
 */
export const deleteResetRequests = prepareAll<MailRow, [emailKey: string], Tx>(`
  delete from jobs where email_key = $1 and kind = 'reset_password' and user_id is null
  returning ${COLUMNS}`);

/** Deletes messages to an address, at most `limit`; returns their number. */
export const deleteMailTo = prepareRun<[emailKey: string, limit: number]>(`
  delete from jobs where id in (select id from jobs where email_key = $1 limit $2)`);

/** Whether another message of this kind to this user was queued later. */
export const hasLaterMail = prepareExists<MailRow>(
  'select id from jobs where user_id = $user_id and kind = $kind and id > $id limit 1',
);

/** Whether a notice of this kind to this user waits, as opposed to one that a node sends now. */
export const hasWaitingNotice = prepareExists<{ userId: string; kind: NoticeKind; now: number }>(`
  select id from jobs
  where user_id = $userId and kind = $kind and expires_at > $now and (leased_until is null or leased_until <= $now)
  limit 1`);

/**
 * Counts the stored messages that anonymous callers have requested, up to `limit`. With the condition and the order
 * of the partial index `jobs_anonymous`.
 */
export const countAnonymousMail = prepareValue<number, [limit: number]>(`
  select count(*) as messages from (
    select 1 from jobs where origin = 'anonymous' order by expires_at limit $1) as requested`);

/** Returns the last id of the next `limit` jobs, messages or not; null after the last one. */
export const lastOfPage = prepareValue<string | null, [after: string, limit: number]>(`
  select max(id) as id from (select id from jobs where id > $1 order by id limit $2) as page`);

/**
 * Makes the messages after `from` up to `to` due that no node sends now; returns the number of those that were not due
 * before. Messages alone have a kind: a condition on the queue would make an index of all of its jobs look cheaper.
 */
export const retryRange = prepareRun<{ from: string; to: string; now: number }>(`
  update jobs set next_attempt_at = $now
  where id > $from and id <= $to and kind is not null and next_attempt_at > $now
    and (leased_until is null or leased_until <= $now)`);

/**
 * Returns what was sent to a recipient, as JSON, and locks the row until the end of the transaction: if it exists, by an
 * update without a change.
 */
export const lockRecipient = prepareValue<string, [recipient: string, now: number], Tx>(`
  insert into mail_recipients (recipient, sends, last_sent_at) values ($1, '[]', $2)
  on conflict (recipient) do update set last_sent_at = mail_recipients.last_sent_at
  returning sends`);

/** Stores what was sent to a recipient, as JSON. */
export const writeRecipient = prepareRun<{ recipient: string; sends: string; now: number }>(
  'update mail_recipients set sends = $sends, last_sent_at = $now where recipient = $recipient',
);

/** Deletes recipients without messages after `before`; returns their number. */
export const deleteOldRecipients = prepareRun<[before: number, limit: number]>(`
  delete from mail_recipients where recipient in (
    select recipient from mail_recipients where last_sent_at <= $1 order by last_sent_at limit $2)`);
