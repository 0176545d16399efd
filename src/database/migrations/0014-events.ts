import type { Migration } from './migration.ts';

/** The kinds of the earlier table of security events, as types of events. Constants: no parameter is quoted. */
const TYPES: Readonly<Record<string, string>> = {
  registered: 'user.created',
  created: 'user.created',
  logged_in: 'login.succeeded',
  logged_in_from_new_network: 'login.succeeded',
  logged_out: 'token.revoked',
  password_changed: 'password.changed',
  password_reset: 'password.reset',
  password_reset_requested: 'link.requested',
  email_change_requested: 'email.change_requested',
  email_changed: 'email.changed',
  email_verified: 'email.verified',
  claimed: 'user.claimed',
  token_created: 'token.created',
  token_rotated: 'token.rotated',
  token_revoked: 'token.revoked',
  tokens_revoked: 'token.revoked',
  disabled: 'user.disabled',
  enabled: 'user.enabled',
};

/** What distinguishes kinds of the same type. */
const REASONS: Readonly<Record<string, string>> = {
  logged_in_from_new_network: 'new_network',
  logged_out: 'logout',
  tokens_revoked: 'several',
};

function mapKinds(mapping: Readonly<Record<string, string>>): string {
  const cases = Object.entries(mapping).map(([kind, value]) => `when '${kind}' then '${value}'`);
  return `case kind ${cases.join(' ')} end`;
}

/**
 * One record of all events, with numbers and digests that are assigned after the commit. Replaces the security events,
 * which are kept: they get their numbers after the start.
 */
export const events: Migration = {
  version: 14,
  name: 'events',
  statements: ({ text, key, integer, tableOptions }) => [
    `create table events (
      id ${key} primary key,
      created_at ${integer} not null,
      type ${key},
      subject ${key},
      actor ${key},
      actor_id ${key},
      outcome ${key},
      reason ${key},
      data ${text},
      network ${text},
      device ${text},
      number ${integer},
      sequence ${integer},
      content_hash ${key},
      network_hash ${key},
      device_hash ${key},
      digest ${key}
    ) ${tableOptions}`,
    `insert into events (id, created_at, type, subject, actor, actor_id, outcome, reason, data)
      select id, created_at, ${mapKinds(TYPES)}, 'user:' || user_id, actor,
             case actor when 'user' then user_id end, 'success', ${mapKinds(REASONS)},
             case when occurrences > 1
               then '{"occurrences":' || occurrences || ',"last_at":' || last_at || '}' else '{}' end
      from security_events`,
    'drop table security_events',
    'create unique index events_number on events (number) where number is not null',
    'create index events_unnumbered on events (id) where number is null',
    'create index events_subject on events (subject, number) where number is not null',
    'create index events_subject_type on events (subject, type, created_at)',
    'create index events_type on events (type, number) where number is not null',
    'create index events_actor on events (actor, number) where number is not null',
    "create index events_failures on events (number) where outcome = 'failure'",
    'create index events_created_at on events (created_at)',
    'create index events_network on events (created_at) where network is not null',
    `create index events_personal on events (subject, id)
      where network is not null or device is not null`,
    // Occurrences of this hour, of events that can be caused at any rate.
    `create table event_counts (
      hour ${integer} not null,
      count_key ${key} not null,
      type ${key} not null,
      subject ${key},
      actor ${key} not null,
      actor_id ${key},
      reason ${key},
      network ${text},
      occurrences ${integer} not null,
      first_at ${integer} not null,
      last_at ${integer} not null,
      primary key (hour, count_key)
    ) ${tableOptions}`,
    `create table event_subjects (
      subject ${key} primary key,
      sequence ${integer} not null
    ) ${tableOptions}`,
    // One row: the last event of the chain, and the last one that was deleted at its start.
    `create table event_chain (
      id ${integer} primary key,
      number ${integer} not null,
      digest ${key} not null,
      deleted_number ${integer} not null,
      deleted_digest ${key} not null
    ) ${tableOptions}`,
    "insert into event_chain (id, number, digest, deleted_number, deleted_digest) values (1, 0, '', 0, '')",
  ],
};
