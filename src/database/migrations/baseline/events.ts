import type { Dialect } from '../../database.ts';

/** One record of all events, with numbers and digests that are assigned after the commit. */
export function createEvents({ text, key, integer, tableOptions }: Dialect): string[] {
  return [
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
    'create unique index events_number on events (number) where number is not null',
    'create index events_unnumbered on events (id) where number is null',
    'create index events_subject on events (subject, number) where number is not null',
    'create index events_subject_type on events (subject, type, created_at)',
    'create index events_type on events (type, number) where number is not null',
    `create index events_actor on events (actor, number) where number is not null and actor <> 'user'`,
    'create index events_actor_id on events (actor_id, number) where number is not null and actor_id is not null',
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
  ];
}
