import type { Migration } from './migration.ts';

/** Renames the permissions of a token to scopes (RFC 6749 section 3.3). */
export const scopes: Migration = {
  version: 4,
  name: 'scopes',
  statements: () => ['alter table tokens rename column abilities to scopes'],
};
