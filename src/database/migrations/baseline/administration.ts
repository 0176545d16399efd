import type { Dialect } from '../../database.ts';

/** Settings, credentials of administrators and sessions of the console. */
export function createAdministration({ text, key, integer, bytes, tableOptions }: Dialect): string[] {
  return [
    `create table settings (
      name ${key} primary key,
      value ${text} not null
    ) ${tableOptions}`,
    // Rows that transactions lock: before they change user_activity, or settings at run time, whose number it has.
    `insert into settings (name, value) values ('user_activity', 'lock'), ('run_time_settings', '0')`,
    `create table run_time_settings (
      name ${key} primary key,
      value ${text} not null
    ) ${tableOptions}`,
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
      previous_until ${integer},
      totp_enabled_at ${integer}
    ) ${tableOptions}`,
    'create unique index credentials_name_key on credentials (name_key)',
    // The current secret, whose `valid_until` is null, and for a while the one before.
    `create table credential_secrets (
      hash ${key} primary key,
      credential_id ${key} not null references credentials (id) on delete cascade,
      valid_until ${integer}
    ) ${tableOptions}`,
    'create index credential_secrets_credential on credential_secrets (credential_id)',
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
    `create table console_sessions (
      hash ${key} primary key,
      credential ${key} not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
  ];
}
