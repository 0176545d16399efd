import type { Migration } from './migration.ts';
import { fillNameKeys } from './name-keys.ts';

/** Mail queue, links that are sent by mail, security events, search by name, first characters and rotation of tokens. */
export const selfService: Migration = {
  version: 8,
  name: 'self-service',
  statements: ({ text, key, integer, tableOptions }) => [
    // No secret is queued: the link of a message is created when the message is sent.
    `create table mail_queue (
      id ${key} primary key,
      kind ${key} not null,
      user_id ${key} references users (id) on delete cascade,
      email ${text} not null,
      email_key ${key} not null,
      data ${text} not null,
      attempts ${integer} not null,
      next_attempt_at ${integer} not null,
      leased_until ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index mail_queue_next_attempt_at on mail_queue (next_attempt_at, id)',
    'create index mail_queue_leased on mail_queue (leased_until) where leased_until is not null',
    'create index mail_queue_user on mail_queue (user_id)',
    'create index mail_queue_email on mail_queue (email_key, kind, created_at)',
    'create index mail_queue_expires_at on mail_queue (expires_at)',
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
    `create table security_events (
      id ${key} primary key,
      user_id ${key} not null references users (id) on delete cascade,
      kind ${key} not null,
      actor ${key} not null,
      created_at ${integer} not null
    ) ${tableOptions}`,
    'create index security_events_user on security_events (user_id, id)',
    'create index security_events_created_at on security_events (created_at)',
    // Requests that users have sent: few among those of anonymous clients.
    `create index idempotency_keys_user_scope on idempotency_keys (scope)
      where scope <> 'anonymous' and scope <> 'admin'`,
    `alter table users add column name_key ${key}`,
    fillNameKeys,
    'create index users_name on users (name_key, id)',
    `alter table tokens add column first_characters ${text}`,
    // A token that has a successor cannot get another one.
    `alter table tokens add column rotated_at ${integer}`,
  ],
};
