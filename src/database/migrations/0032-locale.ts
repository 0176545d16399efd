import type { Migration } from './migration.ts';

/** The language in which a user reads. */
export const locale: Migration = {
  version: 32,
  name: 'locale',
  kind: 'expand',
  statements: ({ text }) => [`alter table users add column locale ${text}`],
};
