import type { Migration } from './migration.ts';

/** Whether an application may sign devices in (1 or 0), and devices that wait for a person to confirm them (RFC 8628). */
export const devices: Migration = {
  version: 60,
  name: 'sign-in of devices',
  kind: 'expand',
  statements: ({ key, text, integer, tableOptions }) => [
    `alter table applications add column device ${integer} not null default 0`,
    `create table device_authorizations (
      hash ${key} primary key,
      user_code_hash ${key} not null,
      application_id ${key} not null references applications (id) on delete cascade,
      scopes ${text} not null,
      interval_seconds ${integer} not null,
      polled_at ${integer},
      device ${text},
      network ${text},
      user_id ${key} references users (id) on delete cascade,
      session_id ${key} references sign_in_sessions (id) on delete cascade,
      allowed ${integer},
      amr ${text},
      authenticated_at ${integer},
      token_id ${key},
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create unique index device_authorizations_user_code on device_authorizations (user_code_hash)',
    'create index device_authorizations_application on device_authorizations (application_id)',
    'create index device_authorizations_user on device_authorizations (user_id, hash)',
    'create index device_authorizations_session on device_authorizations (session_id)',
    'create index device_authorizations_expires_at on device_authorizations (expires_at)',
  ],
};
