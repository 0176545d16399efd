import type { Migration } from './migration.ts';

/** Data of applications about users, as JSON text; null for an empty object. */
export const metadata: Migration = {
  version: 17,
  name: 'metadata',
  statements: ({ text }) => [
    `alter table users add column user_metadata ${text}`,
    `alter table users add column app_metadata ${text}`,
  ],
};
