import type { Migration } from './migration.ts';

const VERSION = 37;

/** The oldest version whose code may run on the schema after each step: a contract step sets its own. */
export const oldestVersion: Migration = {
  version: VERSION,
  name: 'oldest version',
  kind: 'expand',
  // Releases before this one start on no schema but their own.
  statements: ({ integer }) => [
    `alter table schema_migrations add column oldest_version ${integer} not null default ${VERSION}`,
  ],
};
