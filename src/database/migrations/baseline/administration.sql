-- Figures of the dashboard. Those that would have to be counted are kept up to date by each write.
create table counters (
  name {key} not null,
  period {integer} not null,
  slot {integer} not null,
  value {integer} not null,
  primary key (name, period, slot)
) {tableOptions};
create table failed_logins (
  minute {integer} primary key,
  failures {integer} not null
) {tableOptions};
-- The previous day is the last earlier one on which the user was active; -1 if there is none. The hour is that of the
-- UTC day; null in rows of the first releases.
create table user_activity (
  day {integer} not null,
  user_id {key} not null references users (id) on delete cascade,
  previous_day {integer} not null default -1,
  hour {integer},
  primary key (day, user_id)
) {tableOptions};
create index user_activity_user on user_activity (user_id, day);
-- Rows of user_activity by these two days.
create table active_users (
  day {integer} not null,
  previous_day {integer} not null,
  users {integer} not null,
  primary key (day, previous_day)
) {tableOptions};

-- Endpoints of webhooks, their deliveries and the attempts of each.
create table webhook_endpoints (
  id {key} primary key,
  url {text} not null,
  types {text},
  description {text},
  enabled {integer} not null,
  disabled_reason {key},
  secret {bytes} not null,
  previous_secret {bytes},
  previous_secret_until {integer},
  next_number {integer} not null,
  failing_since {integer},
  last_failure_at {integer},
  created_at {integer} not null,
  updated_at {integer} not null,
  version {integer} not null,
  last_error {key}
) {tableOptions};
-- The number, subject and sequence of a test are null. Only `events.head` has a digest. Without a foreign key: those of a deleted endpoint are
-- deleted in batches.
create table webhook_deliveries (
  id {key} primary key,
  endpoint_id {key} not null,
  event_number {integer},
  event_id {key} not null,
  type {key} not null,
  subject {key},
  sequence {integer},
  occurred_at {integer} not null,
  state {key} not null,
  attempts {integer} not null,
  created_at {integer} not null,
  finished_at {integer},
  digest {key}
) {tableOptions};
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_state on webhook_deliveries (endpoint_id, state, id);
create index webhook_deliveries_finished_at on webhook_deliveries (state, finished_at);
create table webhook_attempts (
  delivery_id {key} not null references webhook_deliveries (id) on delete cascade,
  attempt {integer} not null,
  at {integer} not null,
  duration_ms {integer} not null,
  status {integer},
  error {key},
  line {text},
  request {text},
  response {text},
  primary key (delivery_id, attempt)
) {tableOptions};

-- Settings, credentials of administrators and sessions of the console.
create table settings (
  name {key} primary key,
  value {text} not null
) {tableOptions};
-- Rows that transactions lock: before they change user_activity, or settings at run time, whose number it has.
insert into settings (name, value) values ('user_activity', 'lock'), ('run_time_settings', '0');
create table run_time_settings (
  name {key} primary key,
  value {text} not null
) {tableOptions};
create table credentials (
  id {key} primary key,
  name {text} not null,
  name_key {key} not null,
  scopes {text} not null,
  networks {text},
  first_characters {text} not null,
  created_at {integer} not null,
  expires_at {integer},
  last_used_at {integer},
  rotated_at {integer},
  previous_until {integer},
  totp_enabled_at {integer}
) {tableOptions};
create unique index credentials_name_key on credentials (name_key);
-- The current secret, whose `valid_until` is null, and for a while the one before.
create table credential_secrets (
  hash {key} primary key,
  credential_id {key} not null references credentials (id) on delete cascade,
  valid_until {integer}
) {tableOptions};
create index credential_secrets_credential on credential_secrets (credential_id);
-- The secret is encrypted. It is stored before its first code is confirmed, which enables it.
create table credential_totp (
  credential_id {key} primary key references credentials (id) on delete cascade,
  secret {bytes} not null,
  last_step {integer} not null
) {tableOptions};
create table credential_recovery_codes (
  credential_id {key} not null references credentials (id) on delete cascade,
  hash {key} not null,
  primary key (credential_id, hash)
) {tableOptions};
create table console_sessions (
  hash {key} primary key,
  credential {key} not null,
  created_at {integer} not null,
  last_used_at {integer} not null,
  expires_at {integer} not null
) {tableOptions};
