/** Statements that may read more than the rows of one key. */

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
];

export interface Exception {
  /** A part of the text of exactly one statement, in which each white space is one blank. */
  readonly statement: string;
  /** As the planners report them. */
  readonly findings: readonly string[];
  readonly reason: string;
}

const OWN_RESPONSES = 'reads the responses to requests of one user';
const PAGE = 'reads a page in the order of the index';
const BATCH = 'reads only what it deletes, one batch at a time';
const BOUNDED = 'the table has one row for each minute of 90 days';

export const EXCEPTIONS: readonly Exception[] = [
  {
    statement: 'users.version from users where id > $1 order by id',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: 'select id, password_hash from users where id > $1 order by id limit $4',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: "select password_hash from users where state = 'active' and password_hash is not null",
    findings: ['reads a range of users by users_state'],
    reason: 'every active user has a password, so it reads the first one',
  },
  {
    statement: 'from users where id > $1 and state = $3 order by id',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
  },
  {
    statement: 'users.version from users where id < $1 order by id desc',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: 'from users where id < $1 and state = $3 order by id desc',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
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
    statement: 'delete from tokens where hash in (',
    findings: ['reads a range of tokens by tokens_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from users where id in (',
    findings: ['reads a range of users by users_abandoned'],
    reason: BATCH,
  },
  {
    statement: 'delete from idempotency_keys where id in (',
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
    statement: 'delete from known_networks where (user_id, network) in (',
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
    statement: 'delete from security_events where id in (',
    findings: ['reads a range of security_events by security_events_created_at'],
    reason: BATCH,
  },
  {
    statement: 'order by security_events.created_at desc limit $1',
    findings: ['reads all of security_events by security_events_created_at'],
    reason: 'reads the last 100 rows at most',
  },
  {
    statement: 'delete from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
  {
    statement: 'select route, expires_at from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
  {
    statement: 'delete from mail_queue where id in (',
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
