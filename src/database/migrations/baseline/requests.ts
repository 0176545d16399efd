import type { Dialect } from '../../database.ts';

/** Responses stored for retries, and limits shared by all nodes. */
export function createRequests({ text, key, integer, bytes, float, tableOptions }: Dialect): string[] {
  return [
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
    // For the start on SQLite, which would read all of them.
    `create index idempotency_keys_in_progress on idempotency_keys (lease_until) where state = 'in_progress'`,
    // Requests that users have sent: few among those of anonymous clients.
    `create index idempotency_keys_user_scope on idempotency_keys (scope)
      where scope <> 'anonymous' and scope <> 'admin'`,
    `create table rate_limits (
      key ${key} primary key,
      tat ${float} not null,
      touched_at ${float} not null,
      allowed ${integer} not null
    ) ${tableOptions}`,
    'create index rate_limits_tat on rate_limits (tat)',
    `create table failed_attempts (
      key ${key} primary key,
      failures ${integer} not null,
      wait_until ${integer} not null,
      touched_at ${integer} not null,
      admitted ${integer} not null
    ) ${tableOptions}`,
    'create index failed_attempts_touched_at on failed_attempts (touched_at)',
  ];
}
