import { type Reader, sql, type Tx } from '../../database/database.ts';

export const MAIL_KINDS = [
  'verify_email',
  'change_email',
  'reset_password',
  'claim_account',
  'password_changed',
  'email_change_requested',
  'email_changed',
  'new_network',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

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
  /** Epoch milliseconds. */
  readonly created_at: number;
}

export interface NewMailRow extends Omit<MailRow, 'attempts'> {
  readonly emailKey: string;
  readonly expiresAt: number;
}

const INSERT = sql(`
  insert into mail_queue
    (id, kind, user_id, email, email_key, data, attempts, next_attempt_at, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, 0, $7, $7, $8)`);

export async function insertMail(tx: Tx, mail: NewMailRow): Promise<void> {
  const { id, kind, user_id, email, emailKey, data, created_at, expiresAt } = mail;
  await tx.run(INSERT, id, kind, user_id, email, emailKey, data, created_at, expiresAt);
}

const DUE = sql<MailRow>(`
  select id, kind, user_id, email, data, attempts, created_at from mail_queue
  where next_attempt_at <= $1 and expires_at > $1 order by next_attempt_at, id limit $2`);

/** Returns messages whose next attempt is due and that no node has leased. */
export function findDueMail(reader: Reader, now: number, limit: number): Promise<MailRow[]> {
  return reader.all(DUE, now, limit);
}

const LEASE = sql(`
  update mail_queue set attempts = attempts + 1, next_attempt_at = $3 where id = $1 and attempts = $2`);

/**
 * Begins an attempt: until `until`, no other node begins one. Returns false when another node was faster, or the
 * message is gone.
 */
export async function leaseMail(tx: Tx, { id, attempts }: MailRow, until: number): Promise<boolean> {
  return (await tx.run(LEASE, id, attempts, until)) === 1;
}

const DELETE = sql('delete from mail_queue where id = $1');

/** Deletes a message that was sent or is not needed any more. */
export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx.run(DELETE, id);
}

const DELETE_LINK_MAIL = sql(`
  delete from mail_queue
  where user_id = $1 and kind in ('reset_password', 'claim_account', 'change_email')`);

/** Deletes the messages to a user with links that give access to the account or change its email. */
export async function deleteLinkMail(tx: Tx, userId: string): Promise<void> {
  await tx.run(DELETE_LINK_MAIL, userId);
}

const DELETE_RESET_REQUESTS = sql(
  "delete from mail_queue where email_key = $1 and kind = 'reset_password' and user_id is null",
);

/** Deletes the messages that anybody has requested for an address, to reset the password of its account. */
export async function deleteResetRequests(tx: Tx, emailKey: string): Promise<void> {
  await tx.run(DELETE_RESET_REQUESTS, emailKey);
}

const DELETE_TO = sql('delete from mail_queue where email_key = $1');

/** Deletes all messages to an address. */
export async function deleteMailTo(tx: Tx, emailKey: string): Promise<void> {
  await tx.run(DELETE_TO, emailKey);
}

const COUNT_RECENT = sql<{ messages: number }>(`
  select count(*) as messages from (
    select 1 from mail_queue where email_key = $1 and kind = $2 and created_at > $3 limit $4) as recent`);

/** Counts the waiting messages of a kind to an address that were queued after `since`, up to `limit`. */
export async function countWaiting(
  reader: Reader,
  { emailKey, kind, since, limit }: { emailKey: string; kind: MailKind; since: number; limit: number },
): Promise<number> {
  return (await reader.get(COUNT_RECENT, emailKey, kind, since, limit))?.messages ?? 0;
}

const DELETE_EXPIRED = sql(`
  delete from mail_queue where id in (
    select id from mail_queue where expires_at <= $1 order by expires_at limit $2)`);

/** Deletes messages that are too old to be of use; returns their number. */
export function deleteExpiredMail(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_EXPIRED, now, limit);
}
