import { type Reader, sql, type Tx } from '../../database/database.ts';

/** Kinds of events of an account. Stored and public: a kind never changes its meaning. */
export const EVENT_KINDS = [
  'registered',
  'created',
  'logged_in',
  'logged_in_from_new_network',
  'logged_out',
  'password_changed',
  'password_reset',
  'password_reset_requested',
  'email_change_requested',
  'email_changed',
  'email_verified',
  'claimed',
  'token_created',
  'token_rotated',
  'token_revoked',
  'tokens_revoked',
  'disabled',
  'enabled',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The actor of an event: the user, the administrator (API or command line), or an unidentified client. */
export const EVENT_ACTORS = ['user', 'administrator', 'anonymous'] as const;
export type EventActor = (typeof EVENT_ACTORS)[number];

/** Contains no address, name or network, so that nothing of an erased user could remain in it. */
export interface SecurityEventRow {
  readonly id: string;
  readonly kind: EventKind;
  readonly actor: EventActor;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** How often it happened within an hour: events of some kinds are stored once for all of these. */
  readonly occurrences: number;
  /** The last time; null if it happened once. */
  readonly last_at: number | null;
}

export type NewEventRow = Omit<SecurityEventRow, 'occurrences' | 'last_at'>;

const INSERT = sql(
  'insert into security_events (id, user_id, kind, actor, created_at) values ($1, $2, $3, $4, $5)',
);

export async function insertEvent(tx: Tx, userId: string, event: NewEventRow): Promise<void> {
  await tx.run(INSERT, event.id, userId, event.kind, event.actor, event.created_at);
}

/** By the index of user, kind and time, which has at most one such event of each actor within an hour. */
const REPEAT = sql(`
  update security_events set occurrences = occurrences + 1, last_at = $5
  where id in (
    select id from security_events where user_id = $1 and kind = $2 and created_at > $3 and actor = $4
    order by created_at desc limit 1)`);

export interface RepeatedEvent extends Pick<SecurityEventRow, 'kind' | 'actor'> {
  readonly userId: string;
  /** The event must have happened first after this time. */
  readonly since: number;
  readonly now: number;
}

/** Counts one more occurrence of an event that is stored. Returns false if there is none. */
export async function repeatEvent(tx: Tx, event: RepeatedEvent): Promise<boolean> {
  const { userId, kind, since, actor, now } = event;
  return (await tx.run(REPEAT, userId, kind, since, actor, now)) > 0;
}

const DELETE_BEYOND = sql(`
  delete from security_events where id in (
    select id from security_events where user_id = $1 order by id desc limit $2 offset $3)`);

/** Deletes at most `limit` events of a user beyond the newest `kept`. */
export async function deleteEventsBeyond(
  tx: Tx,
  userId: string,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<void> {
  await tx.run(DELETE_BEYOND, userId, limit, kept);
}

const LATEST = sql<SecurityEventRow>(`
  select id, kind, actor, created_at, occurrences, last_at from security_events
  where user_id = $1 order by id desc limit $2`);

/** Returns the latest events of a user, newest first. */
export function latestEvents(reader: Reader, userId: string, limit: number): Promise<SecurityEventRow[]> {
  return reader.all(LATEST, userId, limit);
}

/** An event with the email and the name of its user. */
export interface UserEventRow extends SecurityEventRow {
  readonly user_id: string;
  readonly email: string | null;
  readonly name: string | null;
}

/** By time and not by id, because nodes make ids by their own clocks. The outer join fixes the order of the tables. */
const LATEST_OF_ALL = sql<UserEventRow>(`
  select security_events.id, kind, actor, security_events.created_at, occurrences, last_at, user_id, email, name
  from security_events left join users on users.id = user_id
  order by security_events.created_at desc limit $1`);

/** Returns the latest events of all users, newest first; those of one millisecond in any order. */
export function latestEventsOfAll(reader: Reader, limit: number): Promise<UserEventRow[]> {
  return reader.all(LATEST_OF_ALL, limit);
}

const TIMES_SINCE = sql<{ created_at: number }>(`
  select created_at from security_events
  where user_id = $1 and kind = $2 and created_at > $3 order by created_at desc limit $4`);

export interface EventSearch {
  readonly userId: string;
  readonly kind: EventKind;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly limit: number;
}

/** Returns the times of the latest events of one kind after `since`, newest first. */
export async function eventTimesSince(reader: Reader, search: EventSearch): Promise<number[]> {
  const { userId, kind, since, limit } = search;
  const rows = await reader.all(TIMES_SINCE, userId, kind, since, limit);
  return rows.map(({ created_at }) => created_at);
}

const DELETE_OF_USER = sql<{ id: string }>(`
  delete from security_events where id in (
    select id from security_events where user_id = $1 and id > $2 order by id limit $3)
  returning id`);

/** The next events of a user by id. */
export interface EventBatch {
  readonly userId: string;
  /** The id after which the batch begins. PostgreSQL would read all deleted entries of the index before it again. */
  readonly after: string;
  readonly limit: number;
}

/** Deletes events; returns their number and the last of their ids. */
export async function deleteEventsOfUser(tx: Tx, { userId, after, limit }: EventBatch) {
  const ids = (await tx.all(DELETE_OF_USER, userId, after, limit)).map(({ id }) => id);
  return { deleted: ids.length, last: ids.reduce((last, id) => (id > last ? id : last), after) };
}

/** Whether the user's password was changed or reset after `since`. */
export async function hasNewPasswordSince(reader: Reader, userId: string, since: number): Promise<boolean> {
  // One kind at a time: with both in one statement, PostgreSQL may read all events of the user.
  for (const kind of ['password_changed', 'password_reset'] as const) {
    if ((await eventTimesSince(reader, { userId, kind, since, limit: 1 })).length > 0) return true;
  }
  return false;
}

const DELETE_OLD = sql(`
  delete from security_events where id in (
    select id from security_events where created_at < $1 order by created_at limit $2)`);

/** Deletes events that happened before `before`; returns their number. */
export function deleteOldEvents(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD, before, limit);
}
