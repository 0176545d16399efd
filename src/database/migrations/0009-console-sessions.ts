import type { Migration } from './migration.ts';

/** Sessions of the administration console. */
export const consoleSessions: Migration = {
  version: 9,
  name: 'console sessions',
  statements: ({ key, integer, tableOptions }) => [
    `create table console_sessions (
      hash ${key} primary key,
      credential ${key} not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
  ],
};
