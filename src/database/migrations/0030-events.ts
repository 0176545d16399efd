import type { Migration } from './migration.ts';

/** Marks of events with a key, and counts that become events within a minute. */
export const markedEvents: Migration = {
  version: 30,
  name: 'marks of events',
  kind: 'expand',
  statements: ({ key, integer }) => [
    `alter table events add column mark ${key}`,
    `alter table event_chain add column deleted_at ${integer} not null default 0`,
    `alter table event_chain add column deleted_mark ${key}`,
    // The last event that needs no mark of its own: those of earlier releases, and of an earlier SECRET_KEY.
    `alter table event_chain add column accepted_number ${integer} not null default 0`,
    `alter table event_chain add column accepted_digest ${key}`,
    `alter table event_chain add column accepted_mark ${key}`,
    'update event_chain set accepted_number = number + (select count(*) from events where number is null)',
    // Occurrences that are events, now and before the last of these events.
    `alter table event_counts add column recorded ${integer} not null default 0`,
    `alter table event_counts add column recorded_before ${integer} not null default 0`,
    // When the others become an event; null if there are none.
    `alter table event_counts add column due_at ${integer}`,
    `update event_counts set recorded = case when occurrences > ${RECORDED} then ${RECORDED} else occurrences end`,
    'update event_counts set due_at = last_at where occurrences > recorded',
    'create index event_counts_due on event_counts (due_at) where due_at is not null',
    `alter table webhook_deliveries add column digest ${key}`,
  ],
};

/** Events of one cause and hour that were recorded one by one. */
const RECORDED = `case when type in ('login.failed', 'credential.totp_failed') then 10
  when type like 'login.%' or type like 'token.%' then 20 else 60 end`;
