import type { Migration } from './migration.ts';

/** What a token may do is called scopes everywhere (RFC 6749 section 3.3). */
export const scopes: Migration = {
  version: 4,
  name: 'scopes',
  statements: () => ['alter table tokens rename column abilities to scopes'],
};
