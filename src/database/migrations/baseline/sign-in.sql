-- Sessions of people in a browser.
create table sign_in_sessions (
  id {key} primary key,
  hash {key} not null,
  user_id {key} not null references users (id) on delete cascade,
  amr {text} not null,
  authenticated_at {integer} not null,
  created_at {integer} not null,
  last_used_at {integer} not null,
  expires_at {integer} not null,
  device {text},
  network {text}
) {tableOptions};
create unique index sign_in_sessions_hash on sign_in_sessions (hash);
create index sign_in_sessions_user on sign_in_sessions (user_id, id);
create index sign_in_sessions_last_used_at on sign_in_sessions (last_used_at);

-- Second factors of users. The secret is encrypted.
create table user_totp (
  user_id {key} primary key references users (id) on delete cascade,
  secret {bytes} not null,
  last_step {integer} not null
) {tableOptions};
create table user_recovery_codes (
  user_id {key} not null references users (id) on delete cascade,
  hash {key} not null,
  primary key (user_id, hash)
) {tableOptions};
create table sign_in_challenges (
  hash {key} primary key,
  user_id {key} not null references users (id) on delete cascade,
  amr {text} not null,
  tries {integer} not null,
  expires_at {integer} not null
) {tableOptions};
create index sign_in_challenges_user on sign_in_challenges (user_id, hash);
create index sign_in_challenges_expires_at on sign_in_challenges (expires_at);

-- Applications to which people sign in. URIs are JSON arrays.
create table applications (
  id {key} primary key,
  name {text} not null,
  name_key {key} not null,
  kind {text} not null,
  redirect_uris {text} not null,
  post_logout_redirect_uris {text} not null,
  scopes {text} not null,
  token_lifetime_days {integer},
  id_token_alg {text} not null,
  first_characters {text},
  created_at {integer} not null,
  updated_at {integer} not null,
  rotated_at {integer},
  previous_until {integer},
  version {integer} not null
) {tableOptions};
create unique index applications_name_key on applications (name_key);
create table application_secrets (
  hash {key} primary key,
  application_id {key} not null references applications (id) on delete cascade,
  valid_until {integer}
) {tableOptions};
create index application_secrets_application on application_secrets (application_id);
-- The end of a session is the end of its codes.
create table authorization_codes (
  hash {key} primary key,
  application_id {key} not null references applications (id) on delete cascade,
  user_id {key} not null references users (id) on delete cascade,
  session_id {key} not null references sign_in_sessions (id) on delete cascade,
  redirect_uri {text} not null,
  challenge {text} not null,
  scopes {text} not null,
  nonce {text},
  amr {text} not null,
  authenticated_at {integer} not null,
  created_at {integer} not null,
  expires_at {integer} not null,
  token_id {key}
) {tableOptions};
create index authorization_codes_application on authorization_codes (application_id);
create index authorization_codes_user on authorization_codes (user_id, hash);
create index authorization_codes_session on authorization_codes (session_id);
create index authorization_codes_expires_at on authorization_codes (expires_at);

-- Identity providers, the identities of users there, and sign-ins that have begun there. The secret is encrypted.
create table identity_providers (
  id {key} primary key,
  name {text} not null,
  kind {text} not null,
  issuer {text} not null,
  client_id {text} not null,
  client_secret {bytes} not null,
  scopes {text} not null,
  trust_email {integer} not null,
  enabled {integer} not null,
  created_at {integer} not null,
  updated_at {integer} not null,
  version {integer} not null
) {tableOptions};
create table identities (
  id {key} primary key,
  user_id {key} not null references users (id) on delete cascade,
  issuer {key} not null,
  subject {key} not null,
  email {text},
  created_at {integer} not null,
  last_used_at {integer} not null
) {tableOptions};
create unique index identities_subject on identities (issuer, subject);
create index identities_user on identities (user_id, id);
create table upstream_requests (
  state_hash {key} primary key,
  browser_hash {key} not null,
  provider_id {key} not null references identity_providers (id) on delete cascade,
  nonce {text} not null,
  verifier {text} not null,
  return_to {text},
  session_id {key},
  expires_at {integer} not null
) {tableOptions};
create index upstream_requests_provider on upstream_requests (provider_id);
create index upstream_requests_expires_at on upstream_requests (expires_at);
-- What a provider has said about the person in front of a browser, who has a question to answer first.
create table pending_identities (
  browser_hash {key} primary key,
  provider_id {key} not null references identity_providers (id) on delete cascade,
  issuer {text} not null,
  subject {text} not null,
  email {text} not null,
  email_verified {integer} not null,
  name {text},
  code_id {text},
  code_expires_at {integer},
  code_tries {integer} not null,
  codes {integer} not null,
  created_at {integer} not null,
  expires_at {integer} not null
) {tableOptions};
create index pending_identities_provider on pending_identities (provider_id);
create index pending_identities_expires_at on pending_identities (expires_at);
