import type { Migration } from './migration.ts';

/** Sessions of people in a browser, and second factors of users. */
export const signIn: Migration = {
  version: 34,
  name: 'sign-in sessions and second factors of users',
  kind: 'expand',
  statements: ({ key, text, integer, bytes, tableOptions }) => [
    `create table sign_in_sessions (
      id ${key} primary key,
      hash ${key} not null,
      user_id ${key} not null references users (id) on delete cascade,
      amr ${text} not null,
      authenticated_at ${integer} not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null,
      expires_at ${integer} not null,
      device ${text},
      network ${text}
    ) ${tableOptions}`,
    'create unique index sign_in_sessions_hash on sign_in_sessions (hash)',
    'create index sign_in_sessions_user on sign_in_sessions (user_id, id)',
    'create index sign_in_sessions_last_used_at on sign_in_sessions (last_used_at)',
    // The session in which an application got the token.
    `alter table tokens add column session_id ${key}`,
    'create index tokens_session on tokens (session_id) where session_id is not null',
    // When the second factor was confirmed: from then on, each sign-in needs a code.
    `alter table users add column totp_enabled_at ${integer}`,
    `create table user_totp (
      user_id ${key} primary key references users (id) on delete cascade,
      secret ${bytes} not null,
      last_step ${integer} not null
    ) ${tableOptions}`,
    `create table user_recovery_codes (
      user_id ${key} not null references users (id) on delete cascade,
      hash ${key} not null,
      primary key (user_id, hash)
    ) ${tableOptions}`,
    `create table sign_in_challenges (
      hash ${key} primary key,
      user_id ${key} not null references users (id) on delete cascade,
      amr ${text} not null,
      tries ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index sign_in_challenges_user on sign_in_challenges (user_id, hash)',
    'create index sign_in_challenges_expires_at on sign_in_challenges (expires_at)',
  ],
};
