import type { Migration } from './migration.ts';

/** Reads by kind without reading all events of a user, and repeated events as one row. */
export const eventsOfOneUser: Migration = {
  version: 11,
  name: 'events of one user',
  statements: ({ integer }) => [
    `alter table security_events add column occurrences ${integer} not null default 1`,
    // Null unless the event was repeated.
    `alter table security_events add column last_at ${integer}`,
    'create index security_events_kind on security_events (user_id, kind, created_at)',
  ],
};
