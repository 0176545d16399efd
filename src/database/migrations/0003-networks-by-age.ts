import type { Migration } from './migration.ts';

/** Networks are forgotten by age, every hour: without this all of them would be read for it. */
export const networksByAge: Migration = {
  version: 3,
  name: 'networks by age',
  statements: () => ['create index known_networks_age on known_networks (last_login_at)'],
};
