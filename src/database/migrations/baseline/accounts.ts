import type { Dialect } from '../../database.ts';

export function createAccounts({ text, key, integer, tableOptions }: Dialect): string[] {
  return [
    // The metadata is JSON text; null for an empty object. `metadata_generation` is that of the index (METADATA_INDEX)
    // to which the rows of the user belong; null for a user without metadata.
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
      version ${integer} not null,
      name_key ${key},
      user_metadata ${text},
      app_metadata ${text},
      metadata_generation ${integer}
    ) ${tableOptions}`,
    // An unclaimed record created anonymously does not reserve its email: only owners are in the unique index.
    'create unique index users_owned_email on users (email_key) where owns_email = 1',
    'create index users_email on users (email_key, id)',
    'create index users_name on users (name_key, id)',
    'create index users_state on users (state, created_at, id)',
    'create index users_created_at on users (created_at, id)',
    'create index users_last_login_at on users (last_login_at, id)',
    'create index users_level on users (level, id) where level is not null',
    // For the hourly deletion, which would read all unclaimed users.
    'create index users_abandoned on users (state, created_at) where owns_email = 0',
    `create index users_metadata_generation on users (metadata_generation, id)
      where metadata_generation is not null`,
    // Values of metadata by which users are found.
    `create table user_metadata_keys (
      user_id ${key} not null references users (id) on delete cascade,
      member ${key} not null,
      value_key ${key} not null,
      primary key (user_id, member)
    ) ${tableOptions}`,
    'create index user_metadata_keys_value on user_metadata_keys (member, value_key, user_id)',
    // `first_login_at` is null in rows of the first releases, until the next login.
    `create table known_networks (
      user_id ${key} not null references users (id) on delete cascade,
      network ${key} not null,
      last_login_at ${integer} not null,
      first_login_at ${integer},
      primary key (user_id, network)
    ) ${tableOptions}`,
    'create index known_networks_age on known_networks (last_login_at)',
    // Links that are sent by mail.
    `create table account_links (
      hash ${key} primary key,
      kind ${key} not null,
      user_id ${key} not null references users (id) on delete cascade,
      email ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index account_links_user on account_links (user_id, kind)',
    'create index account_links_expires_at on account_links (expires_at)',
  ];
}
