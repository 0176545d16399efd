import type { Migration } from './migration.ts';

/** The first login from each network. Null in rows of earlier releases, until the next login. */
export const firstLogins: Migration = {
  version: 12,
  name: 'first logins',
  statements: ({ integer }) => [`alter table known_networks add column first_login_at ${integer}`],
};
