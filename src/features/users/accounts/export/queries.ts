import { type Reader, sql } from '../../../../database/database.ts';
import { userScopeRange } from '../../../../idempotency/queries.ts';
import type { LinkKind } from '../../../mail/links/queries.ts';
import type { MailKind } from '../../../mail/queries.ts';

/** Columns of a user besides the record of the API. */
export interface HiddenColumns {
  readonly has_password: number;
}

const HIDDEN = sql<HiddenColumns>(`
  select case when password_hash is null then 0 else 1 end as has_password
  from users where id = $1`);

export async function findHiddenColumns(reader: Reader, userId: string): Promise<HiddenColumns> {
  return (await reader.get(HIDDEN, userId))!;
}

/** A time of a network, which is itself stored as a keyed hash. */
export interface NetworkTime {
  readonly first_login_at: number | null;
  readonly last_login_at: number;
}

const NETWORKS = sql<NetworkTime>(
  'select first_login_at, last_login_at from known_networks where user_id = $1 limit $2',
);

/** Returns the first and last logins from the networks of a user, in no order. */
export function networkTimes(reader: Reader, userId: string, limit: number): Promise<NetworkTime[]> {
  return reader.all(NETWORKS, userId, limit);
}

const DAYS = sql<{ day: number }>(
  'select day from user_activity where user_id = $1 order by day desc limit $2',
);

/** Returns the days on which the user was active, latest first, as numbers since 1970-01-01. */
export async function activeDays(reader: Reader, userId: string, limit: number): Promise<number[]> {
  return (await reader.all(DAYS, userId, limit)).map(({ day }) => day);
}

export interface QueuedMail {
  readonly kind: MailKind;
  readonly email: string;
  /** JSON with what the message shows. */
  readonly data: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/**
 * Without the messages and links of a change of the email: whether one is there depends on whether the new address is
 * taken, which its user must not learn.
 */
const MAIL = sql<QueuedMail>(`
  select kind, email, data, created_at, expires_at from jobs
  where user_id = $1 and kind <> 'change_email' limit $2`);
const REQUESTED_MAIL = sql<QueuedMail>(`
  select kind, email, data, created_at, expires_at from jobs
  where email_key = $1 and user_id is null limit $2`);

/** Returns the waiting messages to a user and those that were requested for the address, in no order. */
export async function queuedMail(
  reader: Reader,
  { userId, emailKey, limit }: { userId: string; emailKey: string; limit: number },
): Promise<QueuedMail[]> {
  const own = await reader.all(MAIL, userId, limit);
  return [...own, ...(await reader.all(REQUESTED_MAIL, emailKey, limit))];
}

/** A message that was sent, or was not to be sent. */
export interface EndedMail {
  readonly kind: MailKind;
  readonly email: string;
  readonly state: string;
  readonly created_at: number;
  readonly ended_at: number;
}

const ENDED_MAIL = sql<EndedMail>(`
  select kind, email, state, created_at, ended_at from mail_messages
  where user_id = $1 and kind <> 'change_email' limit $2`);

/** Returns the messages to a user that have ended, in no order; without those of a change of the email, as above. */
export function endedMail(reader: Reader, userId: string, limit: number): Promise<EndedMail[]> {
  return reader.all(ENDED_MAIL, userId, limit);
}

export interface PendingLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const LINKS = sql<PendingLink>(`
  select kind, email, created_at, expires_at from account_links
  where user_id = $1 and kind <> 'change_email' limit $2`);

/** Returns the pending links of a user, in no order. */
export function pendingLinks(reader: Reader, userId: string, limit: number): Promise<PendingLink[]> {
  return reader.all(LINKS, userId, limit);
}

export interface StoredResponse {
  readonly route: string;
  readonly expires_at: number;
}

const RESPONSES = sql<StoredResponse>(
  'select route, expires_at from idempotency_keys where user_id = $1 limit $2',
);
/** With the conditions of the partial index `idempotency_keys_user_scope`. */
const RESPONSES_TO = sql<StoredResponse>(`
  select route, expires_at from idempotency_keys
  where scope >= $1 and scope < $2 and scope <> 'anonymous' and scope <> 'admin' limit $3`);

/** Returns the stored responses about a user and to their requests, in no order. */
export async function storedResponses(
  reader: Reader,
  { userId, limit }: { readonly userId: string; readonly limit: number },
): Promise<StoredResponse[]> {
  const about = await reader.all(RESPONSES, userId, limit);
  return [...about, ...(await reader.all(RESPONSES_TO, ...userScopeRange(userId), limit))];
}
