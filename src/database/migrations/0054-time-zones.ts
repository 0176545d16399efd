import type { Migration } from './migration.ts';

/** The time zone in which a user reads times; null: none is known. */
export const timeZones: Migration = {
  version: 54,
  name: 'time zones of users',
  kind: 'expand',
  statements: ({ text }) => [`alter table users add column zoneinfo ${text}`],
};
