import type { Migration } from './migration.ts';

/** Responses stored for retries; limits shared by all nodes; networks that a user has logged in from. */
export const retriesAndLimits: Migration = {
  version: 2,
  name: 'retries and limits',
  statements: ({ text, key, integer, bytes, float, tableOptions }) => [
    // A stored response that contains a token is deleted when the token is revoked or its user erased.
    `create table idempotency_keys (
      id ${key} primary key,
      route ${text} not null,
      key_hash ${key} not null,
      scope ${key} not null,
      origin ${key} not null,
      fingerprint ${key} not null,
      state ${key} not null check (state in ('in_progress', 'done')),
      lease_until ${integer} not null,
      expires_at ${integer} not null,
      salt ${bytes},
      sealed ${bytes},
      user_id ${key} references users (id) on delete cascade,
      token_hash ${key} references tokens (hash) on delete cascade
    ) ${tableOptions}`,
    `create unique index idempotency_keys_request
      on idempotency_keys (key_hash, scope, route, fingerprint)`,
    'create unique index idempotency_keys_origin on idempotency_keys (key_hash, scope, route, origin)',
    'create index idempotency_keys_expires_at on idempotency_keys (expires_at)',
    'create index idempotency_keys_user on idempotency_keys (user_id)',
    'create index idempotency_keys_token on idempotency_keys (token_hash)',
    `create table rate_limits (
      key ${key} primary key,
      tat ${float} not null,
      touched_at ${float} not null,
      allowed ${integer} not null
    ) ${tableOptions}`,
    'create index rate_limits_tat on rate_limits (tat)',
    `create table guess_limits (
      key ${key} primary key,
      failures ${integer} not null,
      wait_until ${integer} not null,
      touched_at ${integer} not null,
      admitted ${integer} not null
    ) ${tableOptions}`,
    'create index guess_limits_touched_at on guess_limits (touched_at)',
    `create table known_networks (
      user_id ${key} not null references users (id) on delete cascade,
      network ${key} not null,
      last_login_at ${integer} not null,
      primary key (user_id, network)
    ) ${tableOptions}`,
  ],
};
