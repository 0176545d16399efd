import type { Migration } from './migration.ts';

/** Second factors of named credentials, for the sign-in to the console. */
export const secondFactors: Migration = {
  version: 24,
  name: 'second factors',
  statements: ({ key, integer, bytes, tableOptions }) => [
    `alter table credentials add column totp_enabled_at ${integer}`,
    // The secret is encrypted. It is stored before its first code is confirmed, which enables it.
    `create table credential_totp (
      credential_id ${key} primary key references credentials (id) on delete cascade,
      secret ${bytes} not null,
      last_step ${integer} not null
    ) ${tableOptions}`,
    `create table credential_recovery_codes (
      credential_id ${key} not null references credentials (id) on delete cascade,
      hash ${key} not null,
      primary key (credential_id, hash)
    ) ${tableOptions}`,
  ],
};
