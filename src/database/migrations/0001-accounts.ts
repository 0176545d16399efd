import type { Migration } from './migration.ts';

/** Users, tokens, active users by day, failed logins by minute, named settings. */
export const accounts: Migration = {
  version: 1,
  name: 'accounts',
  statements: ({ text, key, integer, tableOptions }) => [
    `create table users (
      id ${key} primary key,
      name ${text},
      email ${text},
      email_key ${key},
      owns_email ${integer} not null,
      password_hash ${text},
      level ${text},
      state ${key} not null check (state in ('unclaimed', 'active', 'disabled')),
      email_verified_at ${integer},
      last_login_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      version ${integer} not null
    ) ${tableOptions}`,
    // An unclaimed record created anonymously does not reserve its email: only owners are in the unique index.
    'create unique index users_owned_email on users (email_key) where owns_email = 1',
    'create index users_email on users (email_key, id)',
    'create index users_state on users (state, id)',
    'create index users_created_at on users (created_at)',
    `create table tokens (
      hash ${key} primary key,
      id ${key} not null,
      user_id ${key} not null references users (id) on delete cascade,
      name ${text} not null,
      abilities ${text} not null,
      created_at ${integer} not null,
      last_used_at ${integer},
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create unique index tokens_id on tokens (id)',
    'create index tokens_user on tokens (user_id, id)',
    'create index tokens_expires_at on tokens (expires_at)',
    `create table user_activity (
      day ${integer} not null,
      user_id ${key} not null references users (id) on delete cascade,
      primary key (day, user_id)
    ) ${tableOptions}`,
    'create index user_activity_user on user_activity (user_id)',
    `create table failed_logins (
      minute ${integer} primary key,
      failures ${integer} not null
    ) ${tableOptions}`,
    `create table settings (
      name ${key} primary key,
      value ${text} not null
    ) ${tableOptions}`,
  ],
};
