import type { Migration } from './migration.ts';

/** Applications to which people sign in, and a second kind of signing keys for their ID tokens. */
export const applications: Migration = {
  version: 35,
  name: 'applications',
  kind: 'expand',
  statements: ({ key, text, integer, tableOptions }) => [
    `create table applications (
      id ${key} primary key,
      name ${text} not null,
      name_key ${key} not null,
      kind ${text} not null,
      redirect_uris ${text} not null,
      post_logout_redirect_uris ${text} not null,
      scopes ${text} not null,
      token_lifetime_days ${integer},
      id_token_alg ${text} not null,
      first_characters ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      rotated_at ${integer},
      previous_until ${integer},
      version ${integer} not null
    ) ${tableOptions}`,
    'create unique index applications_name_key on applications (name_key)',
    `create table application_secrets (
      hash ${key} primary key,
      application_id ${key} not null references applications (id) on delete cascade,
      valid_until ${integer}
    ) ${tableOptions}`,
    'create index application_secrets_application on application_secrets (application_id)',
    // The end of a session is the end of its codes.
    `create table authorization_codes (
      hash ${key} primary key,
      application_id ${key} not null references applications (id) on delete cascade,
      user_id ${key} not null references users (id) on delete cascade,
      session_id ${key} not null references sign_in_sessions (id) on delete cascade,
      redirect_uri ${text} not null,
      challenge ${text} not null,
      scopes ${text} not null,
      nonce ${text},
      amr ${text} not null,
      authenticated_at ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      token_id ${key}
    ) ${tableOptions}`,
    'create index authorization_codes_application on authorization_codes (application_id)',
    'create index authorization_codes_user on authorization_codes (user_id, hash)',
    'create index authorization_codes_session on authorization_codes (session_id)',
    'create index authorization_codes_expires_at on authorization_codes (expires_at)',
    `alter table tokens add column application_id ${key}`,
    'create index tokens_application on tokens (application_id) where application_id is not null',
    `alter table signing_keys add column algorithm ${text} not null default 'ES256'`,
  ],
};
