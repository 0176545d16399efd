import type { Migration } from './migration.ts';

/** Named credentials of administrators. */
export const credentials: Migration = {
  version: 22,
  name: 'credentials',
  statements: ({ text, key, integer, tableOptions }) => [
    `create table credentials (
      id ${key} primary key,
      name ${text} not null,
      name_key ${key} not null,
      scopes ${text} not null,
      networks ${text},
      first_characters ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      rotated_at ${integer},
      previous_until ${integer}
    ) ${tableOptions}`,
    'create unique index credentials_name_key on credentials (name_key)',
    // The current secret, whose `valid_until` is null, and for a while the one before.
    `create table credential_secrets (
      hash ${key} primary key,
      credential_id ${key} not null references credentials (id) on delete cascade,
      valid_until ${integer}
    ) ${tableOptions}`,
    'create index credential_secrets_credential on credential_secrets (credential_id)',
  ],
};
