/** Statements that may read more than the rows of one key. */
import { ACTIVITY } from './exceptions/activity.ts';
import { EVENTS } from './exceptions/events.ts';
import type { Exception } from './exceptions/exception.ts';
import { FORMS } from './exceptions/forms.ts';
import { MAIL } from './exceptions/mail.ts';
import { REQUESTS } from './exceptions/requests.ts';
import { TOKENS } from './exceptions/tokens.ts';
import { USERS } from './exceptions/users.ts';
import { WEBHOOKS } from './exceptions/webhooks.ts';

/** Tables of few rows, whatever the number of users. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'one row for each migration',
  sqlite_schema: 'one row for each table and index, on SQLite only',
  settings: 'named values of the service',
  run_time_settings: 'at most one row for each setting',
  counters:
    'at most 16 rows for each figure of a day or hour, of 90 days, and for each hour in which tokens expire',
  active_users: 'one row for each pair of days within 90 days',
  console_sessions: 'at most ten rows for each credential',
  webhook_endpoints: 'at most 50 rows',
  applications: 'at most 100 rows',
  application_secrets: 'at most two rows for each application',
  groups: 'at most 500 rows',
  identity_providers: 'at most 10 rows',
  forms: 'created by administrators, one by one',
  form_versions: 'changes of forms, made by administrators',
  signing_keys: 'one or two rows, more after rotations by the operator',
  credentials: 'at most 200 rows',
  credential_secrets: 'at most two rows for each credential',
  credential_totp: 'at most one row for each credential',
  passkey_handles: 'at most one row for each user, which every statement reads by its key',
  user_totp: 'at most one row for each user, which every statement reads by its key',
  credential_recovery_codes: 'at most ten rows for each credential',
  event_chain: 'one row',
  deleted_texts: 'one row, on SQLite only',
  frontdesk_lock: 'one row, on PostgreSQL only',
};

/** Parts of statements that only commands of the operator execute: they may read everything. */
export const COMMAND_STATEMENTS: readonly string[] = [
  'as change from ( select name, period, value from (',
  'as change from ( select day, previous_day, count(*)',
  'as change from ( select case when previous_day',
  'as expected from user_activity where user_id > $1 and user_id <= $2',
  'with recursive days (day)',
  'select max(id) as id from (select id from jobs',
  'update jobs set next_attempt_at = $1 where id > $2',
  'select kind, count(*) as waiting',
  'users.app_metadata, users.password_hash from users',
  'given (id,name,name_key,email,email_key,password_hash',
  'select id, name_key as "nameKey", email_key as "emailKey" from users where id > $1',
];

export const EXCEPTIONS: readonly Exception[] = [
  ...USERS,
  ...TOKENS,
  ...EVENTS,
  ...ACTIVITY,
  ...MAIL,
  ...REQUESTS,
  ...WEBHOOKS,
  ...FORMS,
];
