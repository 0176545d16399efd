import type { Migration } from './migration.ts';

/**
 * A refresh token is the token of a program that stays signed in (`tokens.id = tokens.family_id`), and its access tokens
 * have its id. `hash` of it is that of the part which all of its successors have; `current_hash` is that of the last one.
 */
export const refreshTokens: Migration = {
  version: 59,
  name: 'refresh tokens',
  kind: 'expand',
  statements: ({ integer, key, tableOptions, text }) => [
    `alter table applications add column refresh ${integer} not null default 0`,
    `alter table applications add column access_token_minutes ${integer} not null default 60`,
    `alter table applications add column refresh_idle_days ${integer} not null default 30`,
    `alter table applications add column refresh_days ${integer} not null default 180`,
    `alter table applications add column refresh_ends_with_session ${integer} not null default 0`,
    `alter table tokens add column family_id ${key}`,
    `create table refresh_tokens (
      family_id ${key} primary key references tokens (id) on delete cascade,
      current_hash ${text} not null,
      previous_hash ${text},
      nonce ${text},
      rotated_at ${integer},
      expires_at ${integer} not null,
      session_id ${key},
      amr ${text} not null,
      authenticated_at ${integer} not null
    ) ${tableOptions}`,
    'create index refresh_tokens_session on refresh_tokens (session_id)',
  ],
};
