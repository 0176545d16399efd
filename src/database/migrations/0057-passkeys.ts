import type { Migration } from './migration.ts';

/** Passkeys of users, the handle by which authenticators know a user, and ceremonies that have begun. */
export const passkeys: Migration = {
  version: 57,
  name: 'passkeys',
  kind: 'expand',
  statements: ({ integer, key, tableOptions, text }) => [
    `create table passkey_handles (
      user_id ${key} primary key references users (id) on delete cascade,
      handle ${key} not null
    ) ${tableOptions}`,
    'create unique index passkey_handles_handle on passkey_handles (handle)',
    `create table passkeys (
      id ${key} primary key,
      user_id ${key} not null references users (id) on delete cascade,
      credential_id ${key} not null,
      public_key ${text} not null,
      rp_id ${key} not null,
      counter ${integer} not null,
      transports ${text} not null,
      aaguid ${text} not null,
      name ${text} not null,
      backup_eligible ${integer} not null,
      backed_up ${integer} not null,
      created_at ${integer} not null,
      last_used_at ${integer}
    ) ${tableOptions}`,
    'create unique index passkeys_credential_id on passkeys (credential_id)',
    'create index passkeys_user on passkeys (user_id, id)',
    'create index passkeys_rp_id on passkeys (rp_id)',
    `create table passkey_challenges (
      hash ${key} primary key,
      purpose ${text} not null,
      user_id ${key} references users (id) on delete cascade,
      binding ${key} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index passkey_challenges_user on passkey_challenges (user_id, hash)',
    'create index passkey_challenges_expires_at on passkey_challenges (expires_at)',
  ],
};
