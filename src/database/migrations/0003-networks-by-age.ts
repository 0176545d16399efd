import type { Migration } from './migration.ts';

/** The hourly deletion of old networks would read all of them without this index. */
export const networksByAge: Migration = {
  version: 3,
  name: 'networks by age',
  statements: () => ['create index known_networks_age on known_networks (last_login_at)'],
};
