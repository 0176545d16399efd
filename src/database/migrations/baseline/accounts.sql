-- The metadata is JSON text; null for an empty object. `metadata_generation` is that of the index (METADATA_INDEX)
-- to which the rows of the user belong; null for a user without metadata. `totp_enabled_at` is when the second factor
-- was confirmed: from then on, each sign-in needs a code. `role` is that of users who administer the service.
create table users (
  id {key} primary key,
  name {text},
  email {text},
  email_key {key},
  owns_email {integer} not null,
  password_hash {text},
  level {text},
  state {key} not null check (state in ('unclaimed', 'active', 'disabled')),
  email_verified_at {integer},
  last_login_at {integer},
  created_at {integer} not null,
  updated_at {integer} not null,
  version {integer} not null,
  name_key {key},
  user_metadata {text},
  app_metadata {text},
  metadata_generation {integer},
  locale {text},
  totp_enabled_at {integer},
  role {key}
) {tableOptions};
-- An unclaimed record created anonymously does not reserve its email: only owners are in the unique index.
create unique index users_owned_email on users (email_key) where owns_email = 1;
create index users_email on users (email_key, id);
create index users_name on users (name_key, id);
create index users_state on users (state, created_at, id);
create index users_created_at on users (created_at, id);
create index users_last_login_at on users (last_login_at, id);
create index users_level on users (level, id) where level is not null;
-- For the hourly deletion, which would read all unclaimed users.
create index users_abandoned on users (state, created_at) where owns_email = 0;
create index users_metadata_generation on users (metadata_generation, id)
  where metadata_generation is not null;
create index users_role on users (role, id) where role is not null;
-- Values of metadata by which users are found.
create table user_metadata_keys (
  user_id {key} not null references users (id) on delete cascade,
  member {key} not null,
  value_key {key} not null,
  primary key (user_id, member)
) {tableOptions};
create index user_metadata_keys_value on user_metadata_keys (member, value_key, user_id);
-- `first_login_at` is null in rows of the first releases, until the next login.
create table known_networks (
  user_id {key} not null references users (id) on delete cascade,
  network {key} not null,
  last_login_at {integer} not null,
  first_login_at {integer},
  primary key (user_id, network)
) {tableOptions};
create index known_networks_age on known_networks (last_login_at);
-- Links that are sent by mail.
create table account_links (
  hash {key} primary key,
  kind {key} not null,
  user_id {key} not null references users (id) on delete cascade,
  email {text} not null,
  created_at {integer} not null,
  expires_at {integer} not null
) {tableOptions};
create index account_links_user on account_links (user_id, kind);
create index account_links_expires_at on account_links (expires_at);

-- A token with `rotated_at` has a successor and cannot get another one. That of an application has `application_id` and
-- the session in which the application got it.
create table tokens (
  hash {key} primary key,
  id {key} not null,
  user_id {key} not null references users (id) on delete cascade,
  name {text} not null,
  scopes {text} not null,
  created_at {integer} not null,
  last_used_at {integer},
  expires_at {integer} not null,
  first_characters {text},
  rotated_at {integer},
  device {text},
  network {text},
  last_used_network {text},
  session_id {key},
  application_id {key}
) {tableOptions};
create unique index tokens_id on tokens (id);
create index tokens_user on tokens (user_id, id);
create index tokens_expires_at on tokens (expires_at);
create index tokens_first_characters on tokens (first_characters) where first_characters is not null;
create index tokens_network on tokens (created_at) where network is not null;
create index tokens_last_used_network on tokens (last_used_at) where last_used_network is not null;
create index tokens_session on tokens (session_id) where session_id is not null;
create index tokens_application on tokens (application_id) where application_id is not null;
-- Published from their creation until `removed_at`; the last two times are those of a key with a successor.
-- The private key is encrypted.
create table signing_keys (
  id {key} primary key,
  public_key {text} not null,
  private_key {bytes} not null,
  created_at {integer} not null,
  signs_from {integer} not null,
  signs_until {integer},
  removed_at {integer},
  algorithm {text} not null default 'ES256'
) {tableOptions};

-- Responses stored for retries, and limits shared by all nodes.
-- A stored response that contains a token is deleted when the token is revoked or its user erased.
create table idempotency_keys (
  id {key} primary key,
  route {text} not null,
  key_hash {key} not null,
  scope {key} not null,
  origin {key} not null,
  fingerprint {key} not null,
  state {key} not null check (state in ('in_progress', 'done')),
  lease_until {integer} not null,
  expires_at {integer} not null,
  salt {bytes},
  sealed {bytes},
  user_id {key} references users (id) on delete cascade,
  token_hash {key} references tokens (hash) on delete cascade
) {tableOptions};
create unique index idempotency_keys_request
  on idempotency_keys (key_hash, scope, route, fingerprint);
create unique index idempotency_keys_origin on idempotency_keys (key_hash, scope, route, origin);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);
create index idempotency_keys_user on idempotency_keys (user_id);
create index idempotency_keys_token on idempotency_keys (token_hash);
-- For the start on SQLite, which would read all of them.
create index idempotency_keys_in_progress on idempotency_keys (lease_until) where state = 'in_progress';
-- Requests that users have sent: few among those of anonymous clients.
create index idempotency_keys_user_scope on idempotency_keys (scope)
  where scope <> 'anonymous' and scope <> 'admin';
create table rate_limits (
  key {key} primary key,
  tat {float} not null,
  touched_at {float} not null,
  allowed {integer} not null
) {tableOptions};
create index rate_limits_tat on rate_limits (tat);
create table failed_attempts (
  key {key} primary key,
  failures {integer} not null,
  wait_until {integer} not null,
  touched_at {integer} not null,
  admitted {integer} not null
) {tableOptions};
create index failed_attempts_touched_at on failed_attempts (touched_at);
