/** Statements that may read more than the rows of one key. */
import type { Engine } from '../runner/engines.ts';

/** Tables of few rows, whatever the number of users. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'one row for each migration',
  sqlite_schema: 'one row for each table and index, on SQLite only',
  settings: 'named values of the service',
  counters: 'at most 16 rows for each of some hundred days and hours',
  active_users: 'one row for each pair of days within 90 days',
  console_sessions: 'about 100 rows: a sign-in deletes the oldest',
  frontdesk_lock: 'one row, on PostgreSQL only',
};

/** Parts of statements that only commands of the operator execute: they may read everything. */
export const COMMAND_STATEMENTS: readonly string[] = [
  'as change from ( select name, period, value from (',
  'as change from ( select day, previous_day, count(*)',
  'as expected from user_activity where user_id > $1 and user_id <= $2',
  'with recursive days (day)',
  'select max(id) as id from (select id from mail_queue',
  'update mail_queue set next_attempt_at = $1 where id > $2',
  'select kind, count(*) as waiting',
  'users.version, users.password_hash from users',
  'given (id,name,name_key,email,email_key,password_hash',
];

export interface Exception {
  /** A part of the text of exactly one statement, in which each white space is one blank. */
  readonly statement: string;
  /** As the planners report them. */
  readonly findings: readonly string[];
  readonly reason: string;
  /** Default: both. */
  readonly engine?: Engine;
}

const OWN_RESPONSES = 'reads the responses to requests of one user';
const PAGE = 'reads a page in the order of the index';
const CANDIDATES = 'reads 5,001 ids at most, from the index alone';
const BATCH = 'reads only what it deletes, one batch at a time';
const ERASED = 'an erasure has deleted all but a batch of these rows';
const REVOKED = 'reads only what it deletes, which expires within days';
const MESSAGES = 'messages to a user expire after three days';
const EXPORT = 'reads 1,000 rows at most';
const BOUNDED = 'the table has one row for each minute of 90 days';

/** Rows that refer to a deleted user: SQLite alone has them in its plans. */
const CASCADES = [
  'reads the rows of one user of security_events by security_events_kind',
  'reads the rows of one user of mail_queue by mail_queue_user',
  'reads the rows of one user of known_networks by PRIMARY KEY',
  'reads the rows of one user of idempotency_keys by idempotency_keys_user',
];

export const EXCEPTIONS: readonly Exception[] = [
  {
    statement: 'select id, password_hash from users where id > $1 order by id limit $4',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: "select password_hash from users where state >= 'active' and state <= 'active'",
    findings: ['reads a range of users by users_state'],
    reason: 'every active user has a password, so it reads the first one',
  },
  {
    statement: 'from users where (email_key, id) > ($1, $2) and email_key < $3',
    findings: ['reads a range of users by users_email'],
    reason: PAGE,
  },
  {
    statement: 'from users where (name_key, id) > ($1, $2) and name_key < $3',
    findings: ['reads a range of users by users_name'],
    reason: PAGE,
  },
  {
    statement: 'select id, name from users where id > $1 and name is not null order by id limit 500',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: 'a migration reads all users once, one batch at a time',
  },
  {
    statement: 'from users where (created_at, id) > ($1, $2) and created_at < $3',
    findings: ['reads a range of users by users_created_at'],
    reason: PAGE,
  },
  {
    statement: 'from users where (last_login_at, id) > ($1, $2) and last_login_at < $3',
    findings: ['reads a range of users by users_last_login_at'],
    reason: PAGE,
  },
  {
    statement: 'from users where (created_at, id) < ($1, $2) and created_at >= $3',
    findings: ['reads a range of users by users_created_at'],
    reason: PAGE,
  },
  {
    statement: 'from users where (last_login_at, id) < ($1, $2) and last_login_at >= $3',
    findings: ['reads a range of users by users_last_login_at'],
    reason: PAGE,
  },
  {
    statement: 'from users where (name_key, id) < ($1, $2) and name_key >= $3',
    findings: ['reads a range of users by users_name'],
    reason: PAGE,
  },
  {
    statement: 'from users where (email_key, id) < ($1, $2) and email_key >= $3',
    findings: ['reads a range of users by users_email'],
    reason: PAGE,
  },
  {
    statement: 'from users where (state, created_at, id) > ($5, $1, $2)',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
  },
  {
    statement: 'from users where (state, created_at, id) < ($5, $1, $2)',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
  },
  {
    statement: 'select id from users where name_key >= $1 and name_key < $2',
    findings: ['reads a range of users by users_name'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id from users where email_key >= $1 and email_key < $2',
    findings: ['reads a range of users by users_email'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id from users where id >= $1 and id < $2',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id from users where created_at >= $1 and created_at < $2',
    findings: ['reads a range of users by users_created_at'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id from users where last_login_at >= $1 and last_login_at < $2',
    findings: ['reads a range of users by users_last_login_at'],
    reason: CANDIDATES,
  },
  {
    statement: 'select user_id as id from user_words where word >= $1 and word < $2',
    findings: ['reads a range of user_words by user_words_word'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id from users where state >= $1 and state <= $1',
    findings: ['reads a range of users by users_state'],
    reason: CANDIDATES,
  },
  {
    statement: 'select id, name, name_key, email_key from users where id > $1 order by id limit 500',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: 'a migration reads all users once, one batch at a time',
  },
  {
    statement: 'select count(id) as total from users',
    findings: ['reads all of users by users_last_login_at'],
    reason: 'a migration reads all users once',
    engine: 'sqlite',
  },
  {
    statement: 'select count(id) as total from users',
    findings: ['reads all of users by users_created_at'],
    reason: 'a migration reads all users once',
    engine: 'postgres',
  },
  {
    statement: 'delete from tokens where hash in (',
    findings: ['reads a range of tokens by tokens_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'select count(*) as total from users where name is not null',
    findings: ['reads all of users'],
    reason: 'a migration reads all users once',
  },
  {
    statement:
      "update users set version = version where id in ( select id from users where state = 'unclaimed'",
    findings: ['reads a range of users by users_abandoned'],
    reason: 'reads only what it locks, one batch at a time',
  },
  {
    statement:
      'delete from known_networks where (user_id, network) in ( select user_id, network from known_networks where last',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: 'with the statistics of these sample rows only: each user has one network there',
    engine: 'sqlite',
  },
  {
    statement: 'delete from users where id = $1 returning',
    findings: CASCADES,
    reason: ERASED,
    engine: 'sqlite',
  },
  {
    statement: 'delete from users where id in (select user_id from given)',
    findings: CASCADES,
    reason: ERASED,
    engine: 'sqlite',
  },
  {
    statement:
      'delete from idempotency_keys where id in ( select id from idempotency_keys where expires_at <= $1',
    findings: ['reads a range of idempotency_keys by idempotency_keys_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from rate_limits where key in (',
    findings: ['reads a range of rate_limits by rate_limits_tat'],
    reason: BATCH,
  },
  {
    statement: 'delete from failed_attempts where key in (',
    findings: ['reads a range of failed_attempts by failed_attempts_touched_at'],
    reason: BATCH,
  },
  {
    statement: 'select user_id, network from known_networks where last_login_at < $1',
    findings: ['reads a range of known_networks by known_networks_age'],
    reason: BATCH,
  },
  {
    statement: 'delete from user_activity where (day, user_id) in (',
    findings: ['reads a range of user_activity by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'delete from failed_logins where minute in (',
    findings: ['reads a range of failed_logins by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'from failed_logins where minute > $1',
    findings: ['reads a range of failed_logins by PRIMARY KEY'],
    reason: BOUNDED,
  },
  {
    statement: "delete from idempotency_keys where state = 'in_progress'",
    findings: ['reads all of idempotency_keys by idempotency_keys_in_progress'],
    reason: 'the index has only the claims in progress, all of which are deleted',
  },
  {
    statement: 'select id, fingerprint, salt, sealed from idempotency_keys',
    findings: ['sorts'],
    reason: 'sorts two rows at most: both conditions are those of a unique index',
  },
  {
    statement:
      'delete from security_events where id in ( select id from security_events where created_at < $1',
    findings: ['reads a range of security_events by security_events_created_at'],
    reason: BATCH,
  },
  {
    statement: 'order by security_events.created_at desc limit $1',
    findings: ['reads all of security_events by security_events_created_at'],
    reason: 'reads the last 100 rows at most',
  },
  {
    statement: 'update security_events set occurrences = occurrences + 1',
    findings: ['reads a range of the rows of one user of security_events by security_events_kind'],
    reason: 'such events are stored once an hour',
  },
  {
    statement: 'select id from security_events where user_id = $1 order by id desc limit $2 offset $3',
    findings: ['reads the rows of one user of security_events by security_events_user'],
    reason: 'reads the newest 1,020 rows at most',
  },
  {
    statement: 'last_at from security_events where user_id = $1 order by id desc limit $2',
    findings: ['reads the rows of one user of security_events by security_events_user'],
    reason: EXPORT,
  },
  {
    statement: 'select created_at from security_events where user_id = $1 and kind = $2 and created_at > $3',
    findings: ['reads a range of the rows of one user of security_events by security_events_kind'],
    reason: 'reads 5 rows at most',
  },
  {
    statement: 'select id from security_events where user_id = $1 and id > $2 order by id limit $3',
    findings: ['reads a range of the rows of one user of security_events by security_events_user'],
    reason: BATCH,
  },
  {
    statement: 'select id from idempotency_keys where user_id = $1 limit $2',
    findings: ['reads the rows of one user of idempotency_keys by idempotency_keys_user'],
    reason: BATCH,
  },
  {
    statement: 'select user_id, network from known_networks where user_id = $1 order by network limit $2',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'select id from mail_queue where user_id = $1 limit $2',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: BATCH,
  },
  {
    statement: "delete from mail_queue where user_id = $1 and kind in ('reset_password'",
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: REVOKED,
  },
  {
    statement: 'delete from mail_queue where user_id = $1 and kind = $2',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: REVOKED,
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and expires_at > $3',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads a range of the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
    engine: 'sqlite',
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
    engine: 'postgres',
  },
  {
    statement: 'select 1 as one from known_networks where user_id = $1 and network <> $2 limit 1',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: 'reads two rows at most',
  },
  {
    statement: 'select first_login_at, last_login_at from known_networks where user_id = $1 limit $2',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: EXPORT,
  },
  {
    statement: "from mail_queue where user_id = $1 and kind <> 'change_email' limit $2",
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: EXPORT,
  },
  {
    statement: 'select route, expires_at from idempotency_keys where user_id = $1 limit $2',
    findings: ['reads the rows of one user of idempotency_keys by idempotency_keys_user'],
    reason: EXPORT,
  },
  {
    statement: 'select id from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
  {
    statement: 'select route, expires_at from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
  {
    statement: 'delete from mail_queue where id in ( select id from mail_queue where expires_at <= $1',
    findings: ['reads a range of mail_queue by mail_queue_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'from mail_queue where expires_at > $1 order by expires_at limit $2',
    findings: ['reads a range of mail_queue by mail_queue_expires_at'],
    reason: 'counts 1,001 messages at most',
  },
  {
    statement: 'delete from account_links where hash in (',
    findings: ['reads a range of account_links by account_links_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'update mail_queue set next_attempt_at = 0, leased_until = null',
    findings: ['reads a range of mail_queue by mail_queue_leased'],
    reason: 'the index has only the messages that are being sent',
  },
  {
    statement:
      'from mail_queue where priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3',
    findings: ['reads a range of mail_queue by mail_queue_due'],
    reason: 'reads the messages that are due, one batch at a time, in the order of the index',
  },
  {
    statement: 'select id from mail_queue where priority = $2 and next_attempt_at > $3',
    findings: ['reads a range of mail_queue by mail_queue_due'],
    reason: 'reads only what it changes, one batch at a time',
  },
  {
    statement: 'update mail_queue set next_attempt_at = $1, leased_until = $1 where leased_until > $1',
    findings: ['reads a range of mail_queue by mail_queue_leased'],
    reason: 'the index has only the messages that are being sent',
  },
  {
    statement: "select 1 from mail_queue where origin = 'anonymous' order by expires_at limit $1",
    findings: ['reads all of mail_queue by mail_queue_anonymous'],
    reason: 'counts 5,000 messages at most',
  },
  {
    statement: 'delete from mail_recipients where recipient in (',
    findings: ['reads a range of mail_recipients by mail_recipients_last_sent_at'],
    reason: BATCH,
  },
  {
    statement: "from counters where name = 'tokens' and period > $2",
    findings: ['reads a range of tokens by tokens_expires_at'],
    reason: 'counts the tokens that expire within the current hour',
  },
  {
    statement: 'select day from user_activity where day > $1 order by day limit 1',
    findings: ['reads a range of user_activity by PRIMARY KEY'],
    reason: 'reads one row',
  },
  {
    statement: 'select max(id) as id from (select id from users where id > $1 order by id limit 200)',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: 'delete from console_sessions where hash <> $1 and hash not in (',
    findings: ['sorts'],
    reason: 'sorts about 100 rows at a sign-in',
  },
];
